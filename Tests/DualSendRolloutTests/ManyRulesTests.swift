import DualSendCore
import Testing

@testable import DualSendRollout

@Suite("A document with more rules than a word has bits", .timeLimit(.minutes(5)))
struct ManyRulesTests {
  @Test("decides by each of them, for names and for prefixes", arguments: [1, 31, 32, 33, 63, 64, 65, 130])
  func all(count: Int) throws {
    let rules = (0..<count).map { number in
      let pattern = number.isMultiple(of: 2) ? "event.\(number)" : "event.\(number).*"
      return #"{"name": "\#(number)", "match": {"events": ["\#(pattern)"]}, "shouldSendLogToNewTracker": true}"#
    }
    let text = #"{"formatVersion": 1, "revision": 1, "salt": "s", "rules": [\#(rules.joined(separator: ","))]}"#
    let snapshot = RolloutSnapshot(try RolloutDocument(reading: Array(text.utf8)))
    let context = DecisionContext(unitID: "u")
    for number in 0..<count {
      let name = number.isMultiple(of: 2) ? "event.\(number)" : "event.\(number).x"
      let decision = snapshot.decision(for: name, context: context)
      #expect(decision.outcome == .both, "\(name)")
      #expect(snapshot.explanation(of: decision).newTracker.ruleName == "\(number)")
    }
    #expect(snapshot.decision(for: "event.\(count)", context: context).outcome == .oldOnly)
  }
}
