import DualSendConformance
import DualSendCore
import DualSendRolloutTraces
import Foundation
import Testing

@testable import DualSendRollout

@Suite("The conformance suite holds for")
struct ConformanceTests {
  private static let suite = Result { try ConformanceSuite(Fixture.folder.appendingPathComponent("conformance")) }

  /// A way to a decision.
  enum Path: CaseIterable {
    case context, subject, otherSubject, storedRollout, obstacles
  }

  @Test("decisions on every path", arguments: Path.allCases)
  func decisions(path: Path) throws {
    for example in try Self.suite.get().cases(of: .decision) {
      let question = try DecisionQuestion(example)
      let differences = example.differences(from: try question.answer(by: path))
      #expect(differences.isEmpty, "\(example.id) \(path): \(differences)")
    }
  }

  @Test("the cells of proofs: each has an example that is decided as the cell says, and each decision is in a cell")
  func cells() throws {
    for example in try Self.suite.get().cases(of: .decision) {
      let question = try DecisionQuestion(example)
      let side = EvaluatedRollout(question.document, at: question.time)
      let partition = RolloutPartition([side])
      let candidates = side.rollout.events.candidates(ofList: side.rollout.events.list(for: question.event))
      let events = try #require(partition.events.first { $0.candidates == candidates }, "\(example.id)")
      var budget = ProofBudget()
      var found = Set<FlagPlaces>()
      for cell in try partition.cells(of: events, budget: &budget) {
        var context = cell.example
        if case .named(let ids) = cell.units { context.unitID = ids.first }
        #expect(side.rollout.places(for: events.example, context: context) == partition.places(cell), "\(example.id)")
        found.insert(partition.places(cell))
      }
      #expect(found.contains(side.rollout.places(for: question.event, context: question.context)), "\(example.id)")
    }
  }

  @Test("the population of outcomes")
  func population() throws {
    for example in try Self.suite.get().cases(of: .population) {
      let question = try DecisionQuestion(example)
      let intervals = try #require(question.snapshot.expectation(for: question.event, context: question.context))
      func count(_ outcome: SinkDecision.Outcome) -> EventValue { .int(Int64(intervals.buckets(of: outcome).count)) }
      let differences = example.differences(from: [
        "old": count(.oldOnly), "both": count(.both), "new": count(.newOnly), "neither": count(.neither),
      ])
      #expect(differences.isEmpty, "\(example.id): \(differences)")
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

  func answer(by path: ConformanceTests.Path) throws -> [String: EventValue] {
    let snapshot = try path == .storedRollout ? stored() : self.snapshot
    let subject = (path == .otherSubject ? self.snapshot : snapshot).subject(context)
    let decision: SinkDecision
    switch path {
    case .context, .storedRollout, .obstacles: decision = snapshot.decision(for: event, context: context)
    case .subject, .otherSubject: decision = snapshot.decision(for: event, subject: subject)
    }
    var reasons = (old: decision.oldLoggerReason, new: decision.newTrackerReason)
    if path == .obstacles, decision.oldLoggerReason != .missingUnit {
      let matching = snapshot.trace(for: event, context: context).rules.filter { $0.obstacles.isEmpty }
      reasons.old = matching.first { $0.oldLogger != nil }.map { .rule($0.index) } ?? .topLevel
      reasons.new = matching.first { $0.newTracker != nil }.map { .rule($0.index) } ?? .topLevel
    }
    let sinks = document.sinks.map(\.sink).map { sink in
      let isOn =
        path == .context
        ? snapshot.receives(sink.id, on: sink.side, event: event, context: context)
        : snapshot.receives(sink.id, on: sink.side, event: event, subject: subject, decision: decision)
      return (sink.id, EventValue.bool(isOn))
    }
    return [
      "oldLogger": .bool(decision.shouldSendLogToOldLogger), "newTracker": .bool(decision.shouldSendLogToNewTracker),
      "oldLoggerReason": .string(reasons.old.words), "newTrackerReason": .string(reasons.new.words),
      "bucket": decision.bucket.map { .int(Int64($0)) } ?? .null,
      "sinks": .object(Dictionary(sinks) { first, _ in first }),
    ]
  }

  /// The rollout as a later run of the app reads it. A document with schedules is not stored.
  private func stored() throws -> RolloutSnapshot {
    let compiled = CompiledRollout(document, at: time)
    guard let bytes = compiled.encoded else { return snapshot }
    return RolloutSnapshot(document, at: time, try #require(CompiledRollout(encoded: bytes)))
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
    }
  }
}
