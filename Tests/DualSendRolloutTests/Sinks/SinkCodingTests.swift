import DualSendCore
import Testing

@testable import DualSendRollout

@Suite("The bytes of a compiled rollout with sinks") struct SinkCodingTests {
  private static let contexts = [nil, "qa-1", "u-1", "u-2", "u-3"].flatMap { unit in
    [nil, "iOS"].map { DecisionContext(unitID: unit, platform: $0) }
  }

  private func answers(_ compiled: CompiledRollout) -> [Bool] {
    let snapshot = RolloutSnapshot(StoredDocument([]), at: nil, compiled)
    return Self.contexts.flatMap { context in
      RandomSinkDocument.events.flatMap { event in
        RandomSinkDocument.sinks.map { snapshot.receives($0.id, on: $0.side, event: event, context: context) }
      }
    }
  }

  @Test("decide as what they were made of", arguments: 0..<50)
  func roundTrip(seed: Int) throws {
    var generator = RandomSinkDocument(seed: seed)
    let compiled = CompiledRollout(try generator.document(hasSchedules: false), at: nil)
    let bytes = try #require(compiled.encoded)
    let read = try #require(CompiledRollout(encoded: bytes))
    #expect(read.encoded == bytes)
    #expect(read.namesSinks)
    #expect(answers(read) == answers(compiled))
  }

  @Test("are refused when they are cut off", arguments: 0..<5)
  func cutOff(seed: Int) throws {
    var generator = RandomSinkDocument(seed: seed)
    let bytes = try #require(CompiledRollout(try generator.document(hasSchedules: false), at: nil).encoded)
    for count in 0..<bytes.count where CompiledRollout(encoded: Array(bytes.prefix(count))) != nil {
      Issue.record("\(count) of \(bytes.count) bytes were read")
    }
  }

  @Test("are refused or decide something, whatever is wrong with them", arguments: 0..<10)
  func hostile(seed: Int) throws {
    var generator = RandomSinkDocument(seed: seed)
    let bytes = try #require(CompiledRollout(try generator.document(hasSchedules: false), at: nil).encoded)
    var random = SplitMix64(seed: UInt64(seed))
    for _ in 0..<500 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        damaged[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let read = CompiledRollout(encoded: damaged) else { continue }
      #expect(answers(read).count == answers(read).count)
    }
  }

  @Test("of a version before there were sinks are compiled again, and the document stays in force")
  func olderVersion() throws {
    let text = Array(sinkText(#""shouldSendLogToNewTracker": 5"#, format: 1).utf8)
    let compiled = try #require(CompiledRollout(try RolloutDocument(reading: text), at: nil).encoded)
    var record = RolloutRecord(text: VerifiedRollout.Text(bytes: text))
    record.compiled = [1] + compiled.dropFirst()
    let validator = RolloutValidator(RemoteConfigFetcher.Options(url: nil))
    let read = try RolloutRecord(reading: record.bytes)
    let snapshot = try #require(try validator.readStored(read))
    #expect(!snapshot.isStored)
    #expect(snapshot.revision == 1)
  }

  @Test("start an app with its sinks, without the document being read")
  func stored() throws {
    let text = Array(
      sinkText(#""shouldSendLogToNewTracker": 100, "sinks": {"new": {"a": 0}}"#).utf8)
    let validator = RolloutValidator(RemoteConfigFetcher.Options(url: nil))
    let verified = VerifiedRollout(
      RolloutSnapshot(try RolloutDocument(reading: text)), text: VerifiedRollout.Text(bytes: text), source: .fresh)
    var record = RolloutRecord(text: verified.text)
    record.compiled = validator.compiledForm(of: verified)
    let snapshot = try #require(try validator.readStored(try RolloutRecord(reading: record.bytes)))
    #expect(snapshot.isStored)
    #expect(snapshot.namesSinks)
    #expect(!snapshot.receives("a", on: .new, event: "e", context: DecisionContext(unitID: "u")))
  }
}
