import DualSendCore
import DualSendRollout
import Foundation
import Testing

@testable import DualSendRolloutAnalysis

@Suite struct NeitherCheckTests {
  private func findings(_ members: String) -> [DocumentDiagnostic] {
    do {
      return try document(members).warnings
    } catch let error as DocumentError {
      return error.diagnostics
    } catch {
      return []
    }
  }

  @Test("shares that leave a single bucket without a sink refuse the document")
  func oneBucket() throws {
    #expect(findings(#""shouldSendLogToOldLogger": 95, "shouldSendLogToNewTracker": 5"#).isEmpty)
    let found = findings(#""shouldSendLogToOldLogger": 95, "shouldSendLogToNewTracker": 4.999"#)
    #expect(found.map(\.code.rawValue) == ["DS0210"])
    #expect(found.first?.notes.first?.contains("buckets 4999..<5000") == true)
  }

  @Test("a rule that lowers old only where new is on for all is fine")
  func covered() {
    let rules = #"""
      "rules": [{"match": {"platform": ["iOS"]}, "shouldSendLogToNewTracker": 100},
        {"match": {"platform": ["iOS"], "events": ["home.*"]}, "shouldSendLogToOldLogger": 0}]
      """#
    #expect(findings(rules).isEmpty)
  }

  @Test("two rules that only meet for some contexts are found there")
  func meeting() throws {
    let found = findings(
      #"""
      "shouldSendLogToNewTracker": 100,
      "rules": [{"match": {"appVersion": ">=25 <26"}, "shouldSendLogToNewTracker": 40},
        {"match": {"events": ["home.*"], "attributes": {"country": ["JP"]}}, "shouldSendLogToOldLogger": 50}]
      """#)
    #expect(found.map(\.code.rawValue) == ["DS0210"])
    let finding = try #require(found.first)
    #expect(finding.path.quotedDescription == "rules[1].shouldSendLogToOldLogger")
    #expect(finding.notes.contains { $0.contains("country JP") && $0.contains("app version 25") })
    #expect(finding.position?.line == 4)
  }

  @Test("a unit named in a rule is judged by its own bucket")
  func namedUnit() throws {
    let bucket = RolloutBucketing(salt: "test").bucket(of: "qa").index
    func rule(_ thousandths: Int) -> String {
      let share = "\(thousandths / 1000).\(String(thousandths % 1000 + 1000).dropFirst())"
      return #"""
        "shouldSendLogToOldLogger": 0, "shouldSendLogToNewTracker": 100,
        "rules": [{"match": {"unitIDs": ["qa"]}, "shouldSendLogToNewTracker": \#(share)}]
        """#
    }
    #expect(findings(rule(bucket + 1)).isEmpty)
    #expect(findings(rule(bucket)).map(\.code.rawValue) == ["DS0210"])
  }

  @Test("an event is retired on purpose by a rule that says so")
  func allowed() {
    let rule = #"{"match": {"events": ["old.event"]}, "shouldSendLogToOldLogger": false"#
    #expect(findings(#""rules": [\#(rule)}]"#).map(\.code.rawValue) == ["DS0210"])
    #expect(findings(#""rules": [\#(rule), "allowNeither": true}]"#).isEmpty)
  }

  @Test(
    "what would be left out is called by names and patterns that the document has",
    arguments: [
      (#""shouldSendLogToOldLogger": 50"#, "events would reach neither sink for some units"),
      (
        #""shouldSendLogToOldLogger": 50, "rules": [{"match": {"events": ["a", "b.*"]}, "shouldSendLogToOldLogger": 100}]"#,
        "events that no rule names would reach neither sink for some units"
      ),
      (
        #""rules": [{"match": {"events": ["home.*"]}, "shouldSendLogToOldLogger": 0}]"#,
        "events of `home.*` would reach neither sink for some units"
      ),
      (
        #""rules": [{"match": {"events": ["home.tap"]}, "shouldSendLogToOldLogger": 0}]"#,
        "`home.tap` would reach neither sink for some units"
      ),
    ])
  func names(_ members: String, _ message: String) {
    #expect(findings(members).map(\.message) == [message])
  }

  @Test("a step of a schedule that leaves a gap is found")
  func schedule() {
    let found = findings(
      #"""
      "shouldSendLogToOldLogger": {"schedule": [{"from": "2026-12-01T00:00:00Z", "percentage": 50}]},
      "shouldSendLogToNewTracker": 25
      """#)
    #expect(found.map(\.code.rawValue) == ["DS0210"])
    #expect(found.first?.notes.last == "from 2026-12-01T00:00:00.000Z on")
  }

  @Test("rules whose cases grow without bound are refused rather than waited for")
  func tooLarge() throws {
    let rules = (0..<40).map { number in
      #"""
      {"match": {"attributes": {"k\#(number)": ["v"], "z": ["v\#(number)"]}},
       "shouldSendLogToNewTracker": \#(number), "shouldSendLogToOldLogger": \#(99 - number)}
      """#
    }
    let document = try RolloutDocument(reading: documentText(#""rules": [\#(rules.joined(separator: ","))]"#).utf8)
    let findings = NeitherCheck.findings(in: document, budget: ProofBudget(cases: 10_000))
    #expect(findings.map(\.code.rawValue).contains("DS0211"))
  }

  @Test("each kind of condition, flag and schedule is proved")
  func fixtures() throws {
    struct Cases: Decodable {
      struct Case: Decodable {
        let text: String
        let isRefused: Bool
      }
      let cases: [Case]
    }
    let file = DualSendRolloutAnalysisTests.fixtures.appendingPathComponent("rollout/neither.json")
    for example in try JSONDecoder().decode(Cases.self, from: Data(contentsOf: file)).cases {
      let document = try RolloutDocument(reading: example.text.utf8)
      #expect(NeitherCheck.findings(in: document).isEmpty != example.isRefused, "\(example.text)")
      #expect(((try? RolloutDocument(proving: example.text.utf8)) == nil) == example.isRefused, "\(example.text)")
    }
  }

  @Test(
    "there is a version between any two",
    arguments: [
      ("25.4", "25.4.0.1"), ("25.4.10", "25.4.11"), ("1", "2"), ("0", "0.0.0.1"),
      ("18446744073709551615", "18446744073709551615.1"),
    ])
  func between(low: String, high: String) throws {
    let (low, high) = (try #require(DecisionContext.AppVersion(low)), try #require(DecisionContext.AppVersion(high)))
    let middle = DecisionContext.AppVersion(between: low, and: high)
    #expect(low < middle)
    #expect(middle < high)
  }
}
