@_spi(Tools) import DualSendCore
import Testing

@_spi(Tools) @testable import DualSendRollout

@Suite struct RolloutDocumentTests {
  private func diagnostics(_ text: String) -> [DocumentDiagnostic] {
    do {
      return try RolloutDocument(reading: Array(text.utf8), name: "rollout.json").warnings
    } catch {
      return error.diagnostics
    }
  }

  private func codes(_ members: String) -> [String] {
    diagnostics(documentText(members)).map(\.code.rawValue)
  }

  @Test("the shortest document means the old logger for everybody")
  func defaults() throws {
    let document = try document()
    #expect(document.shouldSendLogToOldLogger == .percentage(.all))
    #expect(document.shouldSendLogToNewTracker == .percentage(.none))
    #expect(document.missingUnit == .old)
    #expect(document.rules.isEmpty)
    #expect(document.warnings.isEmpty)
  }

  @Test("every key of the format is read")
  func everything() throws {
    let document = try document(
      #"""
      "$schema": "./rollout.schema.json", "shouldSendLogToOldLogger": true, "shouldSendLogToNewTracker": 5.125,
      "allowNeither": false, "missingUnit": "both",
      "rules": [{"name": "n", "match": {"events": ["a", "b.*"], "appVersion": ">=1", "platform": ["iOS"],
        "attributes": {"k": ["v"]}, "unitIDs": ["u"]}, "shouldSendLogToOldLogger": false,
        "shouldSendLogToNewTracker": true, "allowNeither": true}]
      """#)
    #expect(document.shouldSendLogToNewTracker.percentage(at: nil)?.thousandths == 5125)
    #expect(document.missingUnit == .both)
    let rule = try #require(document.rules.first)
    #expect(rule.name == "n")
    #expect(rule.match.events == [.exact("a"), .prefix("b.")])
    #expect(rule.match.platforms == ["iOS"])
    #expect(rule.match.attributes == ["k": ["v"]])
    #expect(rule.match.unitIDs == ["u"])
    #expect(rule.shouldSendLogToOldLogger == .percentage(.none))
    #expect(rule.allowNeither)
  }

  @Test("all faults are reported in one run, in the order of the text")
  func allAtOnce() {
    let found = diagnostics(
      """
      {"formatVersion": 1, "revision": -1, "salt": "",
       "shouldSendLogToNewTraker": 5,
       "shouldSendLogToOldLogger": 101,
       "rules": [{"match": {"events": ["a*b"], "appVersion": "25", "platform": []}}]}
      """)
    #expect(
      found.map(\.code.rawValue) == ["DS0207", "DS0206", "DS0003", "DS0201", "DS0220", "DS0202", "DS0203", "DS0204"])
    #expect(found.compactMap(\.position?.line) == [1, 1, 2, 3, 4, 4, 4, 4])
  }

  @Test("an unknown key is answered with the nearest known one")
  func nearestKey() throws {
    let found = try #require(diagnostics(documentText(#""shouldSendLogToNewTraker": 5"#)).first)
    #expect(found.help == "did you mean `shouldSendLogToNewTracker`?")
  }

  @Test("what must be there is missed by name", arguments: ["formatVersion", "revision", "salt"])
  func missing(key: String) {
    let members = ["formatVersion": "1", "revision": "1", "salt": "\"s\""].filter { $0.key != key }
    let text = "{" + members.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ",") + "}"
    #expect(diagnostics(text).map(\.message) == ["`\(key)` is missing"])
  }

  @Test("of another format nothing is said but that", arguments: ["2", "0", "1.5"])
  func otherFormat(version: String) {
    let found = diagnostics(#"{"formatVersion": \#(version), "newKey": true}"#)
    #expect(found.map(\.code.rawValue) == ["DS0005"])
  }

  @Test(
    "a schedule has steps with strictly increasing times",
    arguments: [
      (#"[]"#, ["DS0204"]),
      (#"[{"from": "2026-12-01", "percentage": 5}]"#, ["DS0209"]),
      (#"[{"from": "2026-12-01T00:00:00Z", "percentage": true}]"#, ["DS0002"]),
      (#"[{"from": "2026-12-01T00:00:00Z"}]"#, ["DS0004"]),
      (
        #"[{"from": "2026-12-01T00:00:00Z", "percentage": 5}, {"from": "2026-12-01T01:00:00+01:00", "percentage": 6}]"#,
        ["DS0209"]
      ),
    ])
  func schedules(steps: String, expected: [String]) {
    #expect(codes(#""shouldSendLogToNewTracker": {"schedule": \#(steps)}"#) == expected)
  }

  @Test("a repeated entry and a rule without a flag are warnings")
  func warnings() throws {
    let document = try document(#""rules": [{"match": {"platform": ["iOS", "iOS"]}}]"#)
    #expect(document.warnings.map(\.code.rawValue).sorted() == ["DS0205", "DS0220"])
    #expect(document.warnings.allSatisfy { $0.severity == .warning })
  }
}
