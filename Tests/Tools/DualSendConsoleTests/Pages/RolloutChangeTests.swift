import DualSendRollout
import Testing

@testable import DualSendConsole

@Suite("The changes of a rollout in a line")
struct RolloutChangeTests {
  private func document(_ members: String, salt: String = "s") throws -> RolloutDocument {
    let text = #"{"formatVersion": 1, "revision": 1, "salt": "\#(salt)", \#(members)}"#
    return try RolloutDocument(reading: Array(text.utf8))
  }

  private func change(_ before: String, _ after: String, salt: String = "s") throws -> String {
    RolloutChange(from: try document(before), to: try document(after, salt: salt)).description
  }

  private let a = #"{"name": "a", "match": {"events": ["a"]}, "shouldSendLogToNewTracker": 25}"#
  private let b = #"{"match": {"country": ["US"]}, "shouldSendLogToNewTracker": 7}"#

  @Test("an absent flag is its default, and a schedule is none")
  func flags() throws {
    let share = #""shouldSendLogToNewTracker": 5"#
    let schedule = #""shouldSendLogToNewTracker": {"schedule": [{"from": "2030-01-01T00:00:00Z", "percentage": 10}]}"#
    #expect(try change(share, schedule) == "top level, new tracker: 5 % → a schedule")
    #expect(try change(share, #""allowNeither": false"#) == "top level, new tracker: 5 % → 0 %")
    #expect(try change(share + #", "shouldSendLogToOldLogger": 100"#, share) == "nothing that apps read")
  }

  @Test("another salt is said first")
  func salt() throws {
    #expect(
      try change(#""rules": []"#, #""shouldSendLogToNewTracker": 1"#, salt: "t")
        == "another salt: every unit gets another bucket; top level, new tracker: 0 % → 1 %")
  }

  @Test("rules are paired by what they match, and not by their places")
  func rules() throws {
    #expect(try change(#""rules": [\#(a)]"#, #""rules": [\#(b), \#(a)]"#) == "rule 1 added (new tracker 7 %)")
    #expect(try change(#""rules": [\#(b), \#(a)]"#, #""rules": [\#(a)]"#) == "rule 1 removed")
    #expect(try change(#""rules": [\#(b), \#(a)]"#, #""rules": [\#(a), \#(b)]"#) == "another order of rules")
    let c = a.replacing("25", with: "30")
    #expect(
      try change(#""rules": [\#(a)]"#, #""rules": [\#(b), \#(c)]"#)
        == #"rule "a", new tracker: 25 % → 30 %; rule 1 added (new tracker 7 %)"#)
    let twin = #"{"name": "top level", "shouldSendLogToNewTracker": 1}"#
    #expect(
      try change(#""rules": []"#, #""rules": [\#(twin)]"#) == #"rule "top level" added (new tracker 1 %)"#)
  }

  @Test("the top level is named before many rules, and long names are cut")
  func many() throws {
    func rules(_ share: Int) -> String {
      let rules = (0..<9).map { index in
        let name = String(repeating: "n", count: 200) + "\(index)"
        return #"{"name": "\#(name)", "match": {"events": ["e\#(index)"]}, "shouldSendLogToNewTracker": \#(share)}"#
      }
      return #""shouldSendLogToNewTracker": \#(share), "rules": [\#(rules.joined(separator: ","))]"#
    }
    let words = try change(rules(1), rules(2))
    #expect(words.hasPrefix("top level, new tracker: 1 % → 2 %; rule ") && words.hasSuffix("; and 7 more"))
    #expect(words.count < 250, "\(words)")
  }
}
