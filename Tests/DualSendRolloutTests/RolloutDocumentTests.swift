import DualSendCore
import Testing

@testable import DualSendRollout

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
    #expect(rule.match[.property(.platform)] == .anyOf(["iOS"]))
    #expect(rule.match[.attribute("k")] == .anyOf(["v"]))
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

  @Test(
    "a value of the wrong type is answered with the right one, where it can be told",
    arguments: [
      (#""shouldSendLogToNewTracker": "5""#, "remove the quotes: `5`"),
      (#""shouldSendLogToNewTracker": "5 %""#, "a percentage is a plain number: `5`"),
      (#""shouldSendLogToNewTracker": "true""#, "remove the quotes: `true`"),
      (#""shouldSendLogToNewTracker": "five""#, nil),
      (
        #""shouldSendLogToNewTracker": {"schedule": [{"from": "2026-12-01T00:00:00Z", "percentage": "5%"}]}"#,
        "a percentage is a plain number: `5`"
      ),
      (#""allowNeither": "true""#, "remove the quotes: `true`"),
      (
        #""rules": [{"match": {"events": "home.*"}, "shouldSendLogToNewTracker": 5}]"#,
        #"put it into brackets: `["home.*"]`"#
      ),
      (
        #""rules": [{"match": {"attributes": {"country": "JP"}}, "shouldSendLogToNewTracker": 5}]"#,
        #"put it into brackets: `["JP"]`"#
      ),
    ])
  func advice(_ members: String, _ help: String?) {
    #expect(diagnostics(documentText(members)).map(\.help) == [help])
  }

  @Test(
    "a revision that is no whole number is answered with the one that it is",
    arguments: [
      ("1.0", "expected a whole number, found 1.0, which has a fraction or an exponent", "write it as `1`"),
      ("1e3", "expected a whole number, found 1e3, which has a fraction or an exponent", "write it as `1000`"),
      ("1.5", "expected a whole number, found 1.5, which has a fraction or an exponent", nil),
      ("9223372036854775808", "expected a whole number, found 9223372036854775808, which is too large", nil),
      (#""7""#, "expected a whole number, found a string", "remove the quotes: `7`"),
    ])
  func revision(_ text: String, _ message: String, _ help: String?) {
    let found = diagnostics(#"{"formatVersion": 1, "revision": \#(text), "salt": "s"}"#)
    #expect(found.map(\.message) == [message])
    #expect(found.map(\.help) == [help])
  }

  @Test("a version that is too large is called that")
  func largeVersion() {
    let rule = #"{"match": {"appVersion": ">=99999999999999999999"}, "shouldSendLogToNewTracker": 5}"#
    let found = diagnostics(documentText(#""rules": [\#(rule)]"#))
    #expect(found.map(\.message) == ["a number of this version is too large"])
    #expect(found.map(\.help) == ["the largest is 18446744073709551615"])
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

  @Test("of another format nothing is said but that", arguments: ["3", "0", "1.5"])
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

  @Test(
    "a share below 1 % beside whole percentages is probably another",
    arguments: [
      (#""shouldSendLogToOldLogger": 100, "shouldSendLogToNewTracker": 0.05"#, ["DS0225"]),
      (#""shouldSendLogToNewTracker": 0.05, "rules": [{"shouldSendLogToNewTracker": 25}]"#, ["DS0225"]),
      (#""shouldSendLogToOldLogger": true, "shouldSendLogToNewTracker": 0.05"#, []),
      (#""shouldSendLogToOldLogger": 0.5, "shouldSendLogToNewTracker": 0"#, []),
      (#""shouldSendLogToOldLogger": 100, "shouldSendLogToNewTracker": 1.5"#, []),
      (#""shouldSendLogToNewTracker": 0.05, "rules": [{"shouldSendLogToNewTracker": 12.5}]"#, []),
    ])
  func partOfAPercent(members: String, expected: [String]) {
    #expect(codes(members) == expected)
  }

  @Test(
    "a platform in another spelling matches no app", arguments: [("ios", 1), ("MacOS", 1), ("iOS", 0), ("Android", 0)])
  func platform(name: String, count: Int) {
    let rule = #""rules": [{"match": {"platform": ["\#(name)"]}, "shouldSendLogToNewTracker": 5}]"#
    #expect(codes(rule) == Array(repeating: "DS0226", count: count))
  }

  @Test("a repeated entry and a rule without a flag are warnings")
  func warnings() throws {
    let document = try document(#""rules": [{"match": {"platform": ["iOS", "iOS"]}}]"#)
    #expect(document.warnings.map(\.code.rawValue).sorted() == ["DS0205", "DS0220"])
    #expect(document.warnings.allSatisfy { $0.severity == .warning })
  }
}
