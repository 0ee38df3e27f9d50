import DualSendCore
import Testing

@testable import DualSendRollout

@Suite("The record of a rollout", .timeLimit(.minutes(5))) struct RolloutRecordTests {
  private let text = documentText(#""shouldSendLogToNewTracker": 5"#)

  private let validator = RolloutValidator(RemoteConfigFetcher.Options(url: nil))

  private func bytes() throws -> [UInt8] {
    let text = VerifiedRollout.Text(
      bytes: Array(text.utf8), signature: "c2ln",
      entityTag: VerifiedRollout.EntityTag("\"1\"", at: "https://a.example/r"))
    let rollout = VerifiedRollout(try validator.snapshot(of: text, at: nil), text: text, source: .fresh)
    return RolloutRecord(rollout: rollout, trustedTime: 5, retryAt: 7).bytes(at: "a")
  }

  private func read(_ bytes: [UInt8], at address: String = "a") throws(RolloutRecord.Damage) -> RolloutRecord {
    try RolloutRecord(reading: bytes, at: address, validator: validator)
  }

  @Test("brings back the document and the times; of another address, nothing")
  func whole() throws {
    let (here, elsewhere) = (try read(bytes()), try read(bytes(), at: "b"))
    #expect(try here.bytes(at: "a") == bytes())
    #expect(here.rollout?.bindingRevision != nil)
    #expect(elsewhere.rollout == nil)
    #expect((elsewhere.trustedTime, elsewhere.retryAt) == (nil, nil))
  }

  @Test("stays beside the records of three other addresses in a storage that several share")
  func shared() throws {
    let document = RolloutRecord(rollout: try read(bytes()).rollout, trustedTime: 5)
    var stored = RolloutRecord(rollout: VerifiedRollout(.newTrackerOnly, source: .cached)).bytes(at: "plain")
    for address in ["a", "b", "c", "a", "b"] {
      stored = document.bytes(at: address) + RolloutRecord.others(in: stored, than: address)
    }
    for address in ["a", "b", "c"] { #expect(try read(stored, at: address).rollout?.text == document.rollout?.text) }
    #expect(try read(stored, at: "plain").rollout?.snapshot.booleans == .newOnly)
    stored = document.bytes(at: "d") + RolloutRecord.others(in: stored, than: "d")
    #expect(try read(stored, at: "plain").rollout == nil)
    #expect(try read(stored, at: "c").trustedTime == 5)
    // What is damaged behind a record does not keep it from being read.
    #expect(try read(Array(stored.dropLast(3)), at: "d").trustedTime == 5)
  }

  @Test("is refused with any byte of the document wrong or missing")
  func damaged() throws {
    let bytes = try bytes()
    for position in (bytes.count - text.utf8.count)..<bytes.count {
      var damaged = bytes
      damaged[position] ^= 1
      #expect(throws: RolloutRecord.Damage.self) { try read(damaged) }
      #expect(throws: RolloutRecord.Damage.self) { try read(Array(bytes.prefix(position))) }
    }
  }

  @Test("is refused with a length that no document has", arguments: ["-1", "9223372036854775807"])
  func hostileLength(length: String) throws {
    let bytes = try bytes()
    let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    let changed = line.replacing(#""documentBytes":\#(text.utf8.count)"#, with: #""documentBytes":\#(length)"#)
    try #require(changed != line)
    #expect(throws: RolloutRecord.Damage.self) {
      try read(Array(changed.utf8) + bytes.dropFirst(line.utf8.count))
    }
  }
}
