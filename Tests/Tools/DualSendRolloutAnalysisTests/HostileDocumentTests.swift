import DualSendCore
import DualSendRolloutAnalysis
import Testing

@testable import DualSendRollout

/// Documents within the size limit that would take hours if nothing bounded the work.
@Suite("A hostile rollout document", .timeLimit(.minutes(10)))
struct HostileDocumentTests {
  private func findings(_ members: String) -> [DocumentDiagnostic] {
    do throws(DocumentError) {
      return try RolloutDocument(proving: Array(documentText(members).utf8)).warnings
    } catch {
      return error.diagnostics
    }
  }

  @Test("with tens of thousands of steps is refused as too large")
  func manySteps() {
    let steps = (0..<20_000).map { step in
      let time = Timestamp.text(milliseconds: Int64(step) * 60_000)
      return #"{"from": "\#(time)", "percentage": \#(step % 100)}"#
    }
    let rules = (0..<10).map { #"{"match": {"events": ["e\#($0)"]}, "shouldSendLogToNewTracker": 1}"# }
    let members = #"""
      "shouldSendLogToNewTracker": {"schedule": [\#(steps.joined(separator: ","))]},
      "rules": [\#(rules.joined(separator: ","))]
      """#
    #expect(findings(members).map(\.code.rawValue) == ["DS0211"])
  }

  @Test("that leaves thousands of events without a sink is told with a hundred findings and one more")
  func manyGaps() {
    let rules = (0..<1500).map { #"{"match": {"events": ["e\#($0)"]}, "shouldSendLogToOldLogger": 1}"# }
    let found = findings(#""rules": [\#(rules.joined(separator: ","))]"#)
    #expect(found.count == 101)
    #expect(found.count { $0.code == .moreFindings } == 1)
  }

  @Test("with versions of a hundred thousand parts is proved")
  func longVersions() throws {
    let prefix = String(repeating: "1.", count: 100_000)
    let rule = #"{"match": {"appVersion": ">=\#(prefix)1 <\#(prefix)2"}, "shouldSendLogToNewTracker": 100}"#
    let document = try document(#""rules": [\#(rule)]"#)
    #expect(try RolloutCoverage(of: document).events.first?.cells.count == 2)
  }

  @Test("with hundreds of shares is planned, although a reshuffle has too many rare moves to search for")
  func manyRareMoves() throws {
    let rules = (1...400).map { share in
      #"{"match": {"events": ["e\#(share)"]}, "shouldSendLogToOldLogger": \#(Double(100_000 - share) / 1000), "#
        + #""shouldSendLogToNewTracker": \#(Double(share) / 1000)}"#
    }
    let members = #""rules": [\#(rules.joined(separator: ","))]"#
    let plan = try RolloutPlan(from: document(members, salt: "a"), to: document(members, salt: "b"))
    #expect(plan.isReshuffle)
    #expect(plan.events.flatMap(\.changes).count == 400)
  }
}
