import DualSendConformance
import DualSendCore
import DualSendRollout
import Foundation
import Testing

@testable import DualSendRolloutAnalysis

@Suite("The conformance suite holds for", .timeLimit(.minutes(5)))
struct ConformanceTests {
  private static let suite = Result { try ConformanceSuite(fixtures.appendingPathComponent("conformance")) }

  @Test("the cells of proofs: each has an example that is decided as the cell says, and each decision is in a cell")
  func cells() throws {
    for example in try Self.suite.get().cases(of: .decision) {
      let question = try Question(example)
      let side = EvaluatedRollout(question.document, at: question.time)
      let partition = RolloutPartition([side])
      let events = try #require(
        closest(partition.events, { $0.atoms.map(\.pattern) }, to: question.event), "\(example.id)")
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

  @Test("the rules that a trace finds to match: the first that sets a flag decides it")
  func obstacles() throws {
    for example in try Self.suite.get().cases(of: .decision) {
      let question = try Question(example)
      let trace = question.snapshot.trace(for: question.event, context: question.context)
      let matching = trace.rules.filter(\.matches)
      let places = FlagPlaces(
        oldLogger: matching.first { $0.oldLogger != nil }.map { .rule($0.index) } ?? .topLevel,
        newTracker: matching.first { $0.newTracker != nil }.map { .rule($0.index) } ?? .topLevel)
      let rollout = CompiledRollout(question.document, at: question.time)
      #expect(places == rollout.places(for: question.event, context: question.context), "\(example.id)")
    }
  }

  @Test("the population of outcomes")
  func population() throws {
    for example in try Self.suite.get().cases(of: .population) {
      let question = try Question(example)
      let intervals = try #require(question.snapshot.expectation(for: question.event, context: question.context))
      func count(_ outcome: SinkDecision.Outcome) -> EventValue { .int(Int64(intervals.buckets(of: outcome).count)) }
      let differences = example.differences(from: [
        "old": count(.oldOnly), "both": count(.both), "new": count(.newOnly), "neither": count(.neither),
      ])
      #expect(differences.isEmpty, "\(example.id): \(differences)")
    }
  }
}

/// A question about one event, made ready.
private struct Question {
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
}
