import DualSendCore
import DualSendRolloutTraces
import Testing

@testable import DualSendRollout

@Suite("The bytes of a compiled rollout") struct CompiledRolloutCodingTests {
  private static let flips = 2000

  private func encoded(_ document: RolloutDocument) throws -> [UInt8] {
    try #require(CompiledRollout(document, at: nil).encoded)
  }

  @Test("decide as what they were made of", arguments: 0..<100)
  func roundTrip(seed: Int) throws {
    var generator = RandomDocument(seed: seed)
    let compiled = CompiledRollout(try generator.document(), at: nil)
    let bytes = try #require(compiled.encoded)
    let read = try #require(CompiledRollout(encoded: bytes))
    #expect(read.encoded == bytes)
    #expect(read.revision == compiled.revision)
    for context in RandomDocument.contexts {
      let subject = RolloutSubject(context, owner: read)
      for event in RandomDocument.events {
        let expected = compiled.decision(for: event, context: context)
        // `#expect` on every line of the innermost loop would take most of the test's time.
        if read.decision(for: event, context: context) != expected
          || read.decision(for: event, subject: subject) != expected
        {
          Issue.record("\(event) \(context)")
        }
      }
    }
  }

  @Test("are the same for the same document, however often it is compiled")
  func deterministic() throws {
    let units = (0..<50).map { "\"unit-\($0)\"" }
    func bytes() throws -> [UInt8] {
      let list = units.joined(separator: ", ")
      return try encoded(
        document(#""rules": [{"match": {"unitIDs": [\#(list)]}, "shouldSendLogToNewTracker": true}]"#))
    }
    #expect(try bytes() == bytes())
  }

  @Test("are refused when they are cut off or go on", arguments: 0..<5)
  func cutOff(seed: Int) throws {
    var generator = RandomDocument(seed: seed)
    let bytes = try encoded(try generator.document())
    for count in 0..<bytes.count where CompiledRollout(encoded: Array(bytes.prefix(count))) != nil {
      Issue.record("\(count) of \(bytes.count) bytes were read")
    }
    #expect(CompiledRollout(encoded: bytes + [0]) == nil)
  }

  @Test("are refused or decide something, whatever is wrong with them", arguments: 0..<10)
  func hostile(seed: Int) throws {
    var generator = RandomDocument(seed: seed)
    let bytes = try encoded(try generator.document())
    var random = SplitMix64(seed: UInt64(seed))
    for _ in 0..<(Self.flips / 10) {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let byte = [0, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random)
        damaged[Int.random(in: 0..<bytes.count, using: &random)] = byte ?? 0
      }
      guard let read = CompiledRollout(encoded: damaged) else { continue }
      for context in RandomDocument.contexts.shuffled(using: &random).prefix(10) {
        let subject = RolloutSubject(context, owner: read)
        for event in RandomDocument.events {
          let decision = read.decision(for: event, subject: subject)
          _ = RolloutSnapshot(StoredDocument([]), at: nil, read).explanation(of: decision)
        }
      }
    }
  }

  @Test("are refused if they are of another version")
  func otherVersion() throws {
    var bytes = try encoded(document())
    bytes[0] += 1
    #expect(CompiledRollout(encoded: bytes) == nil)
  }

  @Test("do not exist for a document with schedules, whose shares depend on the time")
  func schedule() throws {
    let document = try document(
      #""shouldSendLogToNewTracker": {"schedule": [{"from": "2026-01-01T00:00:00Z", "percentage": 50}]}"#)
    #expect(CompiledRollout(document, at: nil).encoded == nil)
  }

  @Test("do not exist where they would be far longer than the document")
  func tooMany() throws {
    let rules = (0..<1000).map { number in
      """
      {"match": {"events": ["\(String(repeating: "a", count: number + 1))*"], "platform": ["iOS"]},
      "shouldSendLogToNewTracker": 50}
      """
    }
    var reader = try RolloutDocumentReader(
      Array(documentText(#""rules": [\#(rules.joined(separator: ","))]"#).utf8), name: nil)
    #expect(CompiledRollout(try reader.unproved(), at: nil).encoded == nil)
  }
}
