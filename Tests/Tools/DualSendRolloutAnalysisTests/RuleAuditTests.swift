import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis
import Foundation
import Testing

@Suite struct RuleAuditTests {
  private func codes(_ rules: String) throws -> [String] {
    try document(#""shouldSendLogToNewTracker": 100, "rules": [\#(rules)]"#).audit().map(\.code.rawValue)
  }

  private static let validFixtures = fixtures.appendingPathComponent("rollout/valid")

  @Test(
    "nothing is found in a document that is as it should be",
    arguments: try FileManager.default.contentsOfDirectory(atPath: validFixtures.path).filter { $0.hasSuffix(".json") })
  func clean(name: String) throws {
    let bytes = try Data(contentsOf: Self.validFixtures.appendingPathComponent(name))
    #expect(try RolloutDocument(proving: bytes, name: name).audit().isEmpty)
  }

  @Test("a condition that no version fulfils is found", arguments: [">=2 <2", ">2 <=1", "==1 ==2", "<0", ">1 <1.0"])
  func contradiction(condition: String) throws {
    #expect(
      try codes(#"{"match": {"appVersion": "\#(condition)"}, "shouldSendLogToNewTracker": 5}"#) == ["DS0221"])
  }

  @Test(
    "a condition that only versions between two boundaries fulfil is left alone",
    arguments: [">1 <1.0.1", "==1", "<0.1"])
  func narrow(condition: String) throws {
    #expect(try codes(#"{"match": {"appVersion": "\#(condition)"}, "shouldSendLogToNewTracker": 5}"#).isEmpty)
  }

  @Test("a rule that several earlier rules cover together is found")
  func coveredTogether() throws {
    let rules = #"""
      {"match": {"appVersion": "<26"}, "shouldSendLogToNewTracker": 5},
      {"match": {"appVersion": ">=26"}, "shouldSendLogToNewTracker": 10},
      {"match": {"appVersion": ">=25", "platform": ["iOS"]}, "shouldSendLogToNewTracker": 15}
      """#
    #expect(try codes(rules) == ["DS0222"])
  }

  @Test("a flag that earlier rules always decide is found, while the rule's other flag decides")
  func flag() throws {
    let rules = #"""
      {"match": {"events": ["home.*"]}, "shouldSendLogToNewTracker": 50},
      {"match": {"events": ["home.tap"]}, "shouldSendLogToNewTracker": 60, "shouldSendLogToOldLogger": 90}
      """#
    #expect(try codes(rules) == ["DS0223"])
  }

  @Test("a permission that nobody needs is found")
  func needlessPermission() throws {
    #expect(
      try codes(#"{"match": {"events": ["a"]}, "shouldSendLogToNewTracker": 50, "allowNeither": true}"#) == ["DS0224"])
  }

  @Test("a rule that only decides at a later step of a schedule is left alone")
  func laterStep() throws {
    let schedule = #"{"schedule": [{"from": "2026-12-01T00:00:00Z", "percentage": 5}]}"#
    #expect(try codes(#"{"match": {"platform": ["iOS"]}, "shouldSendLogToNewTracker": \#(schedule)}"#).isEmpty)
  }
}
