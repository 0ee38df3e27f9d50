import DualSendCore
import Testing

@testable import DualSendRollout
@testable import DualSendRolloutAnalysis

/// The proofs about named sinks against trying events, contexts and buckets through the code that decides for apps.
@Suite("What is proved about a named sink", .timeLimit(.minutes(5))) struct SinkPlanTests {
  private static let rounds = 0..<(5 * TestLength.factor)
  private static let pairsARound = 6

  private struct Counts: Hashable {
    var gains = 0
    var losses = 0
    let withoutUnit: SinkComparison.Move
  }

  /// What becomes of the units of some buckets, each of which stands for so many.
  private func counts(
    _ sink: RolloutSink, _ snapshots: [RolloutSnapshot], _ event: String, _ context: DecisionContext,
    _ stretches: [(bucket: Int, count: Int)]
  ) -> Counts {
    func move(_ unit: String?) -> SinkComparison.Move {
      var context = context
      context.unitID = unit
      let results = snapshots.map { $0.receives(sink.id, on: sink.side, event: event, context: context) }
      return SinkComparison.Move(before: results[0], after: results[1])
    }
    var counts = Counts(withoutUnit: move(nil))
    for stretch in stretches {
      let move = move(UnitTable.ids[stretch.bucket])
      if move.isLoss { counts.losses += stretch.count } else if move.isChange { counts.gains += stretch.count }
    }
    return counts
  }

  private func compare(_ documents: [RolloutDocument], _ stretches: [(bucket: Int, count: Int)]) throws {
    let plan = try RolloutPlan(from: documents[0], at: 1000, to: documents[1], at: 1000)
    let snapshots = documents.map { RolloutSnapshot($0, at: 1000) }
    #expect(plan.namedSinks == EvaluatedRollout.sinks(of: documents.map { EvaluatedRollout($0, at: 1000) }))
    for sink in plan.namedSinks {
      for event in RandomSinkRollout.events {
        let tried = RandomSinkRollout.contexts.map { counts(sink, snapshots, event, $0, stretches) }
          .filter { $0.gains + $0.losses > 0 || $0.withoutUnit.isChange }
        let events = closest(plan.sinks.filter { $0.sink == sink }, \.patterns, to: event, or: documents)
        let proved = (events?.changes ?? []).map { change in
          Counts(
            gains: change.gains.share.parts / RolloutBucket.count,
            losses: change.loses.share.parts / RolloutBucket.count, withoutUnit: change.withoutUnit)
        }
        #expect(Set(tried) == Set(proved), "\(sink.key) \(event) \(documents)")
      }
    }
    try checkExamples(plan, snapshots)
  }

  private func checkExamples(_ plan: RolloutPlan, _ snapshots: [RolloutSnapshot]) throws {
    for events in plan.sinks {
      func receives(_ event: String, _ context: DecisionContext) -> [Bool] {
        snapshots.map { $0.receives(events.sink.id, on: events.sink.side, event: event, context: context) }
      }
      for change in events.changes {
        for (move, expected) in [(change.gains, [false, true]), (change.loses, [true, false])]
        where move.share > .none {
          let example = try #require(move.example)
          #expect(receives(change.exampleEvent, example) == expected)
        }
      }
      for unit in events.units {
        #expect(receives(unit.exampleEvent, unit.example) == [unit.move.before, unit.move.after])
      }
    }
  }

  @Test("is what trying all 100,000 buckets finds", arguments: 0..<2)
  func everyBucket(seed: Int) throws {
    var generator = RandomSinkRollout(seed: seed)
    let documents = [try generator.document(), try generator.document()]
    try compare(documents, (0..<RolloutBucket.count).map { ($0, 1) })
  }

  @Test("is what trying every stretch of buckets finds, for many pairs of documents", arguments: rounds)
  func everyStretch(round: Int) throws {
    var generator = RandomSinkRollout(seed: 1000 + round)
    for _ in 0..<Self.pairsARound {
      let documents = [try generator.document(), try generator.document()]
      let edges = UnitTable.edges(of: documents)
      let ends = edges.dropFirst() + [RolloutBucket.count]
      try compare(documents, zip(edges, ends).map { ($0, $1 - $0) })
    }
  }

  @Test("covers the same units as deciding does", arguments: rounds)
  func coverage(round: Int) throws {
    var generator = RandomSinkRollout(seed: 2000 + round)
    let document = try generator.document()
    let snapshot = RolloutSnapshot(document, at: 1000)
    let edges = UnitTable.edges(of: [document])
    for coverage in try RolloutCoverage(of: document, at: 1000).sinks {
      let sink = coverage.sink
      for event in RandomSinkRollout.events {
        let tried = RandomSinkRollout.contexts.map { context in
          (edges.map { UnitTable.ids[$0] } + [nil] as [String?]).map { unit in
            snapshot.receives(
              sink.id, on: sink.side, event: event,
              context: DecisionContext(unitID: unit, platform: context.platform))
          }
        }
        let cells = try #require(closest(coverage.events, \.patterns, to: event)).cells
        let proved = cells.compactMap { cell -> [Bool]? in
          guard case .everyone(let reach) = cell.population else { return nil }
          return edges.map { reach.buckets.contains($0) } + [reach.withoutUnit]
        }
        #expect(Set(tried) == Set(proved), "\(sink.key) \(event) \(document)")
      }
    }
  }

  @Test("names exactly the named units that trying finds to move", arguments: rounds)
  func namedUnits(round: Int) throws {
    var generator = RandomSinkRollout(seed: 3000 + round)
    for _ in 0..<Self.pairsARound {
      let documents = [try generator.document(), try generator.document()]
      let sides = documents.map { EvaluatedRollout($0, at: nil) }
      let plan = try RolloutPlan(from: documents[0], to: documents[1])
      let rules = documents.flatMap(\.rules)
      for sink in plan.namedSinks {
        let partition = RolloutPartition(sides, sink: sink)
        for event in RandomSinkRollout.events {
          let group = closest(plan.sinks.filter { $0.sink == sink }, \.patterns, to: event, or: documents)
          let candidates = partition.events.first { events in
            closest([events], { $0.atoms.map(\.pattern) }, to: event, or: documents) != nil
          }?.candidates
          for id in ["qa-1", "qa-2"] {
            // A unit that no rule of this event names is among all others.
            guard (candidates ?? []).contains(where: { rules[$0].match.unitIDs?.contains(id) ?? false }) else {
              continue
            }
            let tried = RandomSinkRollout.platforms.map { platform in
              let context = DecisionContext(unitID: id, platform: platform)
              let results = sides.map {
                $0.snapshot.receives(sink.id, on: sink.side, event: event, context: context)
              }
              return SinkComparison.Move(before: results[0], after: results[1])
            }
            let proved = (group?.units ?? []).filter { $0.example.unitID == id }.map(\.move)
            #expect(Set(tried.filter(\.isChange)) == Set(proved), "\(sink.key) \(event) \(id) \(documents)")
          }
        }
      }
    }
  }

  @Test("makes a rollout be taken for a kill if its plan evicts a unit from a sink, too", arguments: rounds)
  func kills(round: Int) throws {
    var generator = RandomSinkRollout(seed: 4000 + round)
    for number in 0..<Self.pairsARound {
      let before = try generator.document()
      let after = try generator.document(salt: number.isMultiple(of: 4) ? "other" : UnitTable.salt)
      let plan = try RolloutPlan(from: before, at: 1000, to: after, at: 1000)
      guard plan.evictsUnits || plan.leavesUnitsWithoutSink || !plan.evictingSinks.isEmpty else { continue }
      #expect(KillCheck.mayBeKill(from: RolloutSnapshot(before, at: 1000), to: RolloutSnapshot(after, at: 1000)))
    }
  }

  @Test("says for a reshuffle which share of units is to be expected to move")
  func reshuffle() throws {
    func document(_ salt: String) throws -> RolloutDocument {
      let text =
        #"{"formatVersion":2,"revision":1,"salt":"\#(salt)","shouldSendLogToNewTracker":50,"sinks":{"new":{"a":20}}}"#
      return try RolloutDocument(reading: text.utf8)
    }
    let plan = try RolloutPlan(from: try document("one"), to: try document("two"))
    let change = try #require(plan.sinks.first?.changes.first)
    #expect(change.gains.share.description == "16 %")
    #expect(change.loses.share.description == "16 %")
    #expect(change.gains.example != nil && change.loses.example != nil)
  }

  @Test("says that a sink which a document names for the first time, or no more, follows its side's flag without")
  func firstNamed() throws {
    let bare = try RolloutDocument(
      reading: #"{"formatVersion":1,"revision":1,"salt":"test","shouldSendLogToNewTracker":50}"#.utf8)
    let named = try RolloutDocument(
      reading:
        #"{"formatVersion":2,"revision":2,"salt":"test","shouldSendLogToNewTracker":50,"sinks":{"new":{"a":20}}}"#.utf8)
    let plan = try RolloutPlan(from: bare, to: named)
    #expect(plan.events.isEmpty)
    #expect(plan.sinks.map { $0.changes.map(\.loses.share.description) } == [["30 %"]])
    #expect(plan.evictingSinks.map(\.id) == ["a"])
    #expect(try RolloutPlan(from: named, to: bare).evictingSinks.isEmpty)
  }
}
