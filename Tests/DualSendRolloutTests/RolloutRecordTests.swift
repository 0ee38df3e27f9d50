import DualSendCore
import Testing

@testable import DualSendRollout

@Suite("The record of a rollout") struct RolloutRecordTests {
  private let text = documentText(#""shouldSendLogToNewTracker": 5"#)

  private func record() throws -> RolloutRecord {
    var record = RolloutRecord()
    record.text = VerifiedRollout.Text(bytes: Array(text.utf8), signature: nil)
    record.compiled = CompiledRollout(try RolloutDocument(reading: text.utf8), at: nil).encoded
    return record
  }

  /// Where the document ends and the compiled form starts.
  private func seam(of bytes: [UInt8], _ record: RolloutRecord) -> Int {
    bytes.count - (record.compiled?.count ?? 0)
  }

  @Test("brings back the document and its compiled form")
  func whole() throws {
    let record = try record()
    let read = try RolloutRecord(reading: record.bytes)
    #expect(read.text == record.text)
    #expect(read.compiled == record.compiled)
    #expect(read.compiled != nil)
    #expect(read.isProved)
  }

  @Test("may be without a compiled form")
  func uncompiled() throws {
    var record = try record()
    record.compiled = nil
    let read = try RolloutRecord(reading: record.bytes)
    #expect(read.text == record.text)
    #expect(read.compiled == nil)
  }

  @Test("loses nothing but the compiled form with any byte of it")
  func compiledDamaged() throws {
    let record = try record()
    let bytes = record.bytes
    for position in seam(of: bytes, record)..<bytes.count {
      var damaged = bytes
      damaged[position] ^= 1
      let read = try RolloutRecord(reading: damaged)
      #expect(read.compiled == nil)
      #expect(read.text == record.text)
      #expect(try RolloutRecord(reading: Array(bytes.prefix(position))).compiled == nil)
    }
  }

  @Test("is refused with any byte of the document wrong or missing, though the compiled form is whole")
  func documentDamaged() throws {
    let record = try record()
    let bytes = record.bytes
    let end = seam(of: bytes, record)
    for position in (end - text.utf8.count)..<end {
      var damaged = bytes
      damaged[position] ^= 1
      #expect(throws: RolloutRecord.Damage.self) { try RolloutRecord(reading: damaged) }
      #expect(throws: RolloutRecord.Damage.self) { try RolloutRecord(reading: Array(bytes.prefix(position))) }
    }
  }

  @Test("leaves out a compiled form of another version")
  func otherVersion() throws {
    let record = try record()
    let line = String(decoding: record.bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    let changed = line.replacing(#""compiledBy":3"#, with: #""compiledBy":4"#)
    try #require(changed != line)
    let read = try RolloutRecord(reading: Array(changed.utf8) + record.bytes.dropFirst(line.utf8.count))
    #expect(read.compiled == nil)
    #expect(read.text == record.text)
  }

  @Test("is refused with a length that no document has", arguments: ["-1", "9223372036854775807"])
  func hostileLength(length: String) throws {
    let record = try record()
    let line = String(decoding: record.bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    let changed = line.replacing(#""documentBytes":\#(text.utf8.count)"#, with: #""documentBytes":\#(length)"#)
    try #require(changed != line)
    #expect(throws: RolloutRecord.Damage.self) {
      try RolloutRecord(reading: Array(changed.utf8) + record.bytes.dropFirst(line.utf8.count))
    }
  }
}
