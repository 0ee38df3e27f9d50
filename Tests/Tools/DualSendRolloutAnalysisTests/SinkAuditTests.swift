import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis
import Testing

@Suite("The audit of rules that narrow sinks", .timeLimit(.minutes(5))) struct SinkAuditTests {
  private func findings(_ rules: String) throws -> [DocumentDiagnostic] {
    let text = """
      {"formatVersion": 2, "revision": 1, "salt": "test", "shouldSendLogToNewTracker": 50,
      "sinks": {"new": {"a": 5, "b": 5}}, "rules": [\(rules)]}
      """
    return try RolloutDocument(reading: text.utf8, name: "rollout.json").audit()
  }

  private func rule(_ match: String, _ sinks: String, _ more: String = "") -> String {
    #"{"match": {\#(match)}, "sinks": {"new": {\#(sinks)}}\#(more)}"#
  }

  @Test("finds nothing in a rule that only narrows sinks")
  func legal() throws {
    #expect(try findings(rule(#""events": ["e"]"#, #""a": 1"#)).isEmpty)
  }

  @Test("finds a rule whose sinks earlier rules always decide")
  func neverDecides() throws {
    let rules = [rule("", #""a": 1"#), rule(#""events": ["e"]"#, #""a": 2"#)]
    let found = try findings(rules.joined(separator: ","))
    #expect(found.map(\.code.rawValue) == ["DS0222"])
    #expect(found.map(\.path.description) == ["rules[1]"])
  }

  @Test("names the one sink that a rule never decides, with its place")
  func oneOfTwo() throws {
    let rules = [rule("", #""a": 1"#), rule("", #""b": 2, "a": 2"#)]
    let found = try findings(rules.joined(separator: ","))
    #expect(found.map(\.code.rawValue) == ["DS0223"])
    #expect(found.map(\.path.description) == ["rules[1].sinks.new.a"])
    #expect(found.first?.message == "the rule's `sinks.new.a` never decides: earlier rules always do")
    #expect(found.first?.position?.line == 2)
  }

  @Test("tells a flag that is decided earlier from a sink that is not")
  func flagAndSink() throws {
    let rules = [
      #"{"shouldSendLogToNewTracker": 60}"#, rule("", #""a": 2"#, #", "shouldSendLogToNewTracker": 70"#),
    ]
    let found = try findings(rules.joined(separator: ","))
    #expect(found.map(\.path.description) == ["rules[1].shouldSendLogToNewTracker"])
  }

  @Test("takes several earlier rules together")
  func coveredTogether() throws {
    let rules = [
      rule(#""appVersion": "<2""#, #""a": 1"#), rule(#""appVersion": ">=2""#, #""a": 1"#),
      rule(#""appVersion": ">0""#, #""a": 2"#),
    ]
    #expect(try findings(rules.joined(separator: ",")).map(\.code.rawValue) == ["DS0222"])
  }
}
