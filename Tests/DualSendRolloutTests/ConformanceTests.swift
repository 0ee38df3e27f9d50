import DualSendConformance
import DualSendCore
import Foundation
import Testing

@testable import DualSendRollout

@Suite("The conformance suite holds for", .timeLimit(.minutes(5)))
struct ConformanceTests {
  private static let suite = Result { try ConformanceSuite(Fixture.folder.appendingPathComponent("conformance")) }

  /// A way to a decision.
  enum Path: CaseIterable {
    case context, subject, otherSubject
  }

  @Test("decisions on every path", arguments: Path.allCases)
  func decisions(path: Path) throws {
    for example in try Self.suite.get().cases(of: .decision) {
      let question = try DecisionQuestion(example)
      let differences = example.differences(from: question.answer(by: path))
      #expect(differences.isEmpty, "\(example.id) \(path): \(differences)")
    }
  }

  @Test("reading rollout documents")
  func reading() throws {
    let cases = try Self.suite.get().cases(of: .reading).filter { $0.question["format"] == "rollout" }
    #expect(!cases.isEmpty)
    for example in cases {
      guard case .string(let text)? = example.question["text"] else { continue }
      let isAccepted = (try? RolloutDocument(reading: text.utf8)) != nil
      #expect(example.differences(from: ["isAccepted": .bool(isAccepted)]).isEmpty, "\(example.id)")
    }
  }

  @Test("contexts: two that differ in one property are not equal", arguments: ContextProperty.allCases)
  func equality(property: ContextProperty) {
    var context = DecisionContext()
    context[property] = "1"
    #expect(context != DecisionContext())
    #expect(context[property] == "1")
  }
}

/// A question about one event, made ready.
private struct DecisionQuestion {
  let document: RolloutDocument
  let event: String
  let context: DecisionContext
  let time: Int64?

  var snapshot: RolloutSnapshot { RolloutSnapshot(document, at: time) }

  init(_ example: ConformanceCase) throws {
    let question = example.question
    func text(_ value: EventValue?) -> String? { if case .string(let text)? = value { text } else { nil } }
    document = try RolloutDocument(reading: (question["document"] ?? .null).canonicalJSON)
    event = try #require(text(question["event"]))
    time = try text(question["time"]).map { try #require(Timestamp.milliseconds(text: $0)) }
    var context = DecisionContext()
    if case .object(let members)? = question["context"] {
      context.unitID = text(members["unitID"])
      for property in ContextProperty.ofApp { context[property] = text(members[property.rawValue]) }
      if case .object(let attributes)? = members["attributes"] {
        context.attributes = attributes.compactMapValues(text)
      }
    }
    self.context = context
  }

  func answer(by path: ConformanceTests.Path) -> [String: EventValue] {
    let snapshot = self.snapshot
    let subject = (path == .otherSubject ? self.snapshot : snapshot).subject(context)
    let decision =
      path == .context
      ? snapshot.decision(for: event, context: context) : snapshot.decision(for: event, subject: subject)
    let sinks = document.sinks.map(\.sink).map { sink in
      let isOn =
        path == .context
        ? snapshot.receives(sink.id, on: sink.side, event: event, context: context)
        : snapshot.receives(sink.id, on: sink.side, event: event, subject: subject, decision: decision)
      return (sink.id, EventValue.bool(isOn))
    }
    return [
      "oldLogger": .bool(decision.shouldSendLogToOldLogger), "newTracker": .bool(decision.shouldSendLogToNewTracker),
      "oldLoggerReason": .string(decision.oldLoggerReason.words),
      "newTrackerReason": .string(decision.newTrackerReason.words),
      "bucket": decision.bucket.map { .int(Int64($0)) } ?? .null,
      "sinks": .object(Dictionary(sinks) { first, _ in first }),
    ]
  }
}

extension SinkDecision.Reason {
  fileprivate var words: String {
    switch self {
    case .rule(let index): "rule \(index + 1)"
    case .topLevel: "top level"
    case .missingUnit: "missing unit"
    case .fixed: "fixed"
    case .breaker: "breaker"
    case .noSink: "no sink"
    }
  }
}
