import DualSendCore
import Testing

@testable import DualSendRollout

@Suite("The record of a rollout", .timeLimit(.minutes(5))) struct RolloutRecordTests {
  private let text = documentText(#""shouldSendLogToNewTracker": 5"#)

  private func record() -> RolloutRecord {
    RolloutRecord(text: VerifiedRollout.Text(bytes: Array(text.utf8), signature: nil))
  }

  @Test("brings back the document")
  func whole() throws {
    let record = record()
    #expect(try RolloutRecord(reading: record.bytes) == record)
  }

  @Test("is refused with any byte of the document wrong or missing")
  func damaged() throws {
    let bytes = record().bytes
    for position in (bytes.count - text.utf8.count)..<bytes.count {
      var damaged = bytes
      damaged[position] ^= 1
      #expect(throws: RolloutRecord.Damage.self) { try RolloutRecord(reading: damaged) }
      #expect(throws: RolloutRecord.Damage.self) { try RolloutRecord(reading: Array(bytes.prefix(position))) }
    }
  }

  @Test("is refused with a length that no document has", arguments: ["-1", "9223372036854775807"])
  func hostileLength(length: String) throws {
    let record = record()
    let line = String(decoding: record.bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    let changed = line.replacing(#""documentBytes":\#(text.utf8.count)"#, with: #""documentBytes":\#(length)"#)
    try #require(changed != line)
    #expect(throws: RolloutRecord.Damage.self) {
      try RolloutRecord(reading: Array(changed.utf8) + record.bytes.dropFirst(line.utf8.count))
    }
  }
}
