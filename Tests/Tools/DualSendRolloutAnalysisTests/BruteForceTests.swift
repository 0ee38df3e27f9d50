import Testing

@testable import DualSendRollout
@testable import DualSendRolloutAnalysis

/// The proofs against trying every event, context and stretch of buckets through the ordinary decision code.
@Suite struct BruteForceTests {
  private static let rounds = 0..<(10 * TestLength.factor)
  private static let documentsARound = 12

  /// What DESIGN's text says, read as plainly as can be: rules top to bottom, for each flag the first that matches.
  private func places(_ document: RolloutDocument, at time: Int64?, _ event: String, _ context: DecisionContext)
    -> FlagPlaces
  {
    func first(_ flag: (RolloutRule) -> RolloutFlag?) -> FlagPlace {
      let index = document.rules.firstIndex { rule in
        rule.match.obstacles(event, context).isEmpty && flag(rule)?.percentage(at: time) != nil
      }
      return index.map(FlagPlace.rule) ?? .topLevel
    }
    var places = FlagPlaces()
    places.oldLogger = first(\.shouldSendLogToOldLogger)
    places.newTracker = first(\.shouldSendLogToNewTracker)
    return places
  }

  private func units(_ edges: [Int]) -> [String?] {
    [nil, "qa-1", "qa-2"] + edges.map { UnitTable.ids[$0] } + [UnitTable.ids[RolloutBucket.count - 1]]
  }

  @Test("deciding follows the format's words for every event, context and unit", arguments: rounds)
  func decisions(round: Int) throws {
    var generator = RandomRollout(seed: round)
    for _ in 0..<Self.documentsARound {
      let document = try generator.document()
      let snapshot = RolloutSnapshot(document, at: 1500)
      let units = units(UnitTable.edges(of: [document]))
      for context in RandomRollout.contexts(for: [document]) {
        for unit in units {
          var context = context
          context.unitID = unit
          let subject = snapshot.subject(context)
          for event in RandomRollout.events {
            let decision = snapshot.decision(for: event, context: context)
            let places = places(document, at: 1500, event, context)
            // `#expect` on every line of the innermost loop would take most of the test's time.
            if decision != snapshot.decision(for: event, subject: subject)
              || decision.oldLoggerReason != .missingUnit
                && (![places.oldLogger.reason, .noSink].contains(decision.oldLoggerReason)
                  || decision.newTrackerReason != places.newTracker.reason)
            {
              Issue.record("\(event) \(context) \(document)")
            }
          }
        }
      }
    }
  }

  @Test(
    "a document is refused exactly if an app gives an event to the old logger for want of a sink", arguments: rounds)
  func neither(round: Int) throws {
    var generator = RandomRollout(seed: 1000 + round)
    for _ in 0..<Self.documentsARound {
      let document = try generator.document()
      let isRefused = !NeitherCheck.findings(in: document).isEmpty
      #expect(isRefused == hasForbiddenNeither(document), "\(document)")
    }
  }

  private func hasForbiddenNeither(_ document: RolloutDocument) -> Bool {
    let units = units(UnitTable.edges(of: [document]))
    for time in [nil, 1000, 2000] as [Int64?] {
      let snapshot = RolloutSnapshot(document, at: time)
      for context in RandomRollout.contexts(for: [document]) {
        for unit in units {
          var context = context
          context.unitID = unit
          for event in RandomRollout.events
          where snapshot.decision(for: event, context: context).oldLoggerReason == .noSink { return true }
        }
      }
    }
    return false
  }

  @Test("the coverage has exactly the cells that trying finds, with the same intervals", arguments: rounds)
  func coverage(round: Int) throws {
    var generator = RandomRollout(seed: 2000 + round)
    for _ in 0..<Self.documentsARound {
      let document = try generator.retiringDocument()
      let coverage = try RolloutCoverage(of: document, at: 1000)
      let snapshot = RolloutSnapshot(document, at: 1000)
      for event in RandomRollout.events {
        let cells = try #require(closest(coverage.events, \.patterns, to: event)).cells
        let edges = UnitTable.edges(of: [document])
        var tried: Set<[SinkDecision.Outcome]> = []
        for context in RandomRollout.contexts(for: [document]) {
          tried.insert(outcomes(snapshot, event, context, edges))
        }
        var proved: Set<[SinkDecision.Outcome]> = []
        for cell in cells {
          if case .everyone(let intervals, let withoutUnit) = cell.population {
            proved.insert(
              edges.map { edge in
                SinkDecision.Outcome.allCases.first { intervals.buckets(of: $0).contains(edge) } ?? .neither
              } + [withoutUnit])
          }
        }
        #expect(tried == proved, "\(event) \(document)")
      }
    }
  }

  /// What happens to one unit of every stretch of buckets, and without a unit.
  private func outcomes(
    _ snapshot: RolloutSnapshot, _ event: String, _ context: DecisionContext, _ edges: [Int]
  ) -> [SinkDecision.Outcome] {
    (edges.map { UnitTable.ids[$0] } + [nil] as [String?]).map { unit in
      var context = context
      context.unitID = unit
      return snapshot.decision(for: event, context: context).outcome
    }
  }

  @Test("a plan has exactly the changes that trying finds, with the same shares", arguments: rounds)
  func plan(round: Int) throws {
    var generator = RandomRollout(seed: 3000 + round)
    for _ in 0..<Self.documentsARound {
      let documents = [try generator.retiringDocument(), try generator.retiringDocument()]
      let plan = try RolloutPlan(from: documents[0], at: 1000, to: documents[1], at: 1000)
      let edges = UnitTable.edges(of: documents)
      let snapshots = documents.map { RolloutSnapshot($0, at: 1000) }
      for event in RandomRollout.events {
        var tried: Set<MoveCounts> = []
        for context in RandomRollout.contexts(for: documents) {
          let results = snapshots.map { outcomes($0, event, context, edges) }
          let moves = zip(results[0], results[1]).map { RolloutPlan.Move(from: $0, to: $1) }
          guard moves.contains(where: { $0.from != $0.to }) else { continue }
          tried.insert(MoveCounts(buckets: counted(moves, edges), withoutUnit: try #require(moves.last)))
        }
        let events = closest(plan.events, \.patterns, to: event, or: documents)
        let proved = Set((events?.changes ?? []).map(counts))
        #expect(tried == proved, "\(event) \(documents)")
      }
      try checkExamples(plan, snapshots)
    }
  }

  private struct MoveCounts: Hashable {
    let buckets: [RolloutPlan.Move: Int]
    let withoutUnit: RolloutPlan.Move
  }

  /// How many buckets make each move.
  private func counted(_ moves: [RolloutPlan.Move], _ edges: [Int]) -> [RolloutPlan.Move: Int] {
    var counts: [RolloutPlan.Move: Int] = [:]
    for (index, edge) in edges.enumerated() {
      counts[moves[index], default: 0] += (index + 1 < edges.count ? edges[index + 1] : RolloutBucket.count) - edge
    }
    return counts
  }

  private func counts(_ change: RolloutPlan.Change) -> MoveCounts {
    MoveCounts(
      buckets: Dictionary(
        uniqueKeysWithValues: change.transitions.map {
          (RolloutPlan.Move(from: $0.from, to: $0.to), $0.share.parts / RolloutBucket.count)
        }),
      withoutUnit: change.withoutUnit)
  }

  private func checkExamples(_ plan: RolloutPlan, _ snapshots: [RolloutSnapshot]) throws {
    for change in plan.events.flatMap(\.changes) {
      for transition in change.transitions where transition.from != transition.to {
        let example = try #require(transition.example)
        let outcomes = snapshots.map { $0.decision(for: change.exampleEvent, context: example).outcome }
        #expect(outcomes == [transition.from, transition.to])
      }
    }
  }

  @Test("a plan names exactly the named units that trying finds to move", arguments: rounds)
  func namedUnits(round: Int) throws {
    var generator = RandomRollout(seed: 4000 + round)
    for _ in 0..<Self.documentsARound {
      let documents = [try generator.retiringDocument(), try generator.retiringDocument()]
      let named = Set(documents.flatMap { $0.rules.flatMap { $0.match.unitIDs ?? [] } })
      let plan = try RolloutPlan(from: documents[0], to: documents[1])
      let snapshots = documents.map { RolloutSnapshot($0) }
      for event in RandomRollout.events {
        let units = closest(plan.events, \.patterns, to: event, or: documents)?.units ?? []
        for id in named {
          // A unit that no rule of this event names is among all others.
          guard isNamed(id, event, documents) else { continue }
          let tried = RandomRollout.contexts(for: documents).map { context -> RolloutPlan.Move in
            var context = context
            context.unitID = id
            let outcomes = snapshots.map { $0.decision(for: event, context: context).outcome }
            return RolloutPlan.Move(from: outcomes[0], to: outcomes[1])
          }
          let proved = units.filter { $0.example.unitID == id }.map(\.move)
          #expect(Set(tried.filter { $0.from != $0.to }) == Set(proved), "\(event) \(id) \(documents)")
        }
      }
    }
  }

  private func isNamed(_ id: String, _ event: String, _ documents: [RolloutDocument]) -> Bool {
    let sides = documents.map { EvaluatedRollout($0, at: nil) }
    let partition = RolloutPartition(sides)
    let rules = documents.flatMap(\.rules)
    let events = partition.events.first { events in
      closest([events], { $0.atoms.map(\.pattern) }, to: event, or: documents) != nil
    }
    return (events?.candidates ?? []).contains { rules[$0].match.unitIDs?.contains(id) ?? false }
  }

  @Test("a rollout that takes the new tracker or every sink from a unit is taken for a kill", arguments: rounds)
  func kills(round: Int) throws {
    var generator = RandomRollout(seed: 5000 + round)
    for _ in 0..<Self.documentsARound {
      let edit = try generator.edit()
      for time in [nil, 1500] as [Int64?] {
        let snapshots = [edit.before, edit.after].map { RolloutSnapshot($0, at: time) }
        guard !KillCheck.mayBeKill(from: snapshots[0], to: snapshots[1]) else { continue }
        let units = units(UnitTable.edges(of: [edit.before, edit.after]))
        for context in RandomRollout.contexts(for: [edit.before, edit.after]) {
          for unit in units {
            var context = context
            context.unitID = unit
            for event in RandomRollout.events {
              let outcomes = snapshots.map { $0.decision(for: event, context: context).outcome }
              let move = OutcomeMove(from: outcomes[0], to: outcomes[1])
              if move.isEviction || move.isLoss { Issue.record("\(event) \(context) \(edit)") }
            }
          }
        }
      }
    }
  }

  @Test("every set of names has an example that the lookup itself puts there", arguments: 0..<50)
  func examples(seed: Int) throws {
    var generator = RandomRollout(seed: seed)
    let rules = try generator.document().rules
    let index = EventIndex(
      rules.map { EventIndex.Rule(events: $0.match.events, flags: .both, isUnconditional: false) })
    for atom in index.atoms {
      let name = index.exampleName(of: atom)
      #expect(name.map(index.list(for:)) == atom.list)
    }
  }
}
