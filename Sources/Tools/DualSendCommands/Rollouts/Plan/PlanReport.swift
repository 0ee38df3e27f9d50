import DualSend
import DualSendCommandLine
package import DualSendCore
package import DualSendRollout
package import DualSendRolloutAnalysis

/// The effect of an edit of a rollout, as `dualsend plan` shows it.
package struct PlanReport {
  private let before: String
  private let after: String
  /// The change of the document, then each later step of a schedule.
  private let steps: [RolloutPlan]
  /// Whether the documents differ only in white space and the order of keys.
  private let saysTheSame: Bool
  /// The units that breakers can return to the old logger, by step; `nil` without `--breaker`.
  private let breakers: [BreakerReach]?

  /// - Parameters:
  ///   - before: the name of the document in force, usually a file name or an address.
  ///   - after: the name of the new one.
  ///   - breakers: the units that breakers can return to the old logger, by step; `nil` leaves them out.
  package init(
    before: String, after: String, steps: [RolloutPlan], saysTheSame: Bool = false, breakers: [BreakerReach]? = nil
  ) {
    self.before = before.hidingSecrets.printable()
    self.after = after.hidingSecrets.printable()
    self.steps = steps
    self.saysTheSame = saysTheSame
    self.breakers = breakers
  }

  package var changesAnything: Bool { steps.contains { !$0.events.isEmpty || !$0.sinks.isEmpty } }
  package var isReshuffle: Bool { steps.contains(where: \.isReshuffle) }
  package var evictsUnits: Bool { steps.contains(where: \.evictsUnits) }
  /// The named sinks that units are evicted from.
  package var evictingSinks: [RolloutSink] { Set(steps.flatMap(\.evictingSinks)).sorted() }
  package var leavesUnitsWithoutSink: Bool { steps.contains(where: \.leavesUnitsWithoutSink) }

  /// One block per group of events, step by step, then one total line.
  package var text: String {
    var blocks: [String] = []
    if let plan = steps.first {
      blocks.append("\(before) (revision \(plan.before.revision)) → \(after) (revision \(plan.after.revision))")
    }
    if let gap = revisionGap { blocks.append(gap) }
    if isReshuffle {
      blocks.append(
        """
        RESHUFFLE: the salt changes, so every unit gets another bucket.
        Two independent hashes decide which units move; the shares are expected values.
        """)
    }
    for (index, plan) in steps.enumerated() {
      if index > 0, let time = plan.after.time {
        blocks.append("from \(Timestamp.text(milliseconds: time)) on, by schedule:")
      }
      blocks += plan.events.map(\.text)
      if plan.events.isEmpty {
        let subject = plan.sinks.isEmpty ? "nothing changes" : "nothing changes for old and new"
        blocks.append(subject + (steps.count > 1 && index == 0 ? " at once" : ""))
      }
      blocks += plan.sinks.map(\.text)
      if let breakers { blocks.append(breakers[index].text) }
    }
    return blocks.joined(separator: "\n\n") + "\n\n" + total + "\n"
  }

  /// What to know of a revision that skips many: it may be a date, or a slip of the hand, and there is no way back.
  private var revisionGap: String? {
    guard let plan = steps.first else { return nil }
    let (gap, overflows) = plan.after.revision.subtractingReportingOverflow(plan.before.revision)
    guard overflows || gap > 1000 else { return nil }
    return "REVISION: \(plan.before.revision) → \(plan.after.revision); every later one must be higher still"
  }

  private var total: String {
    guard changesAnything else {
      return saysTheSame
        ? "Plan: both documents mean the same; apps keep the one they have"
        : "Plan: nothing changes"
    }
    let moves = steps.flatMap(\.events).flatMap(\.moves)
    let counts = PlanMark.allCases.map { mark in "\(moves.count { $0.mark == mark }) \(mark.words)" }
    let groups = steps.reduce(0) { $0 + $1.events.count }
    return "Plan: \(groups.counted("group")) of events "
      + (groups == 1 ? "changes" : "change") + "; moves: " + counts.joined(separator: ", ") + "; "
      + (evictsUnits ? "UNITS ARE EVICTED FROM NEW" : "no unit is evicted from new") + ", "
      + (leavesUnitsWithoutSink ? "UNITS ARE LEFT WITHOUT A SINK" : "no unit is left without a sink") + sinkTotal
  }

  /// The part of the total line about named sinks.
  private var sinkTotal: String {
    let named = Set(steps.flatMap(\.namedSinks))
    if named.isEmpty { return "" }
    let marks = steps.flatMap(\.sinks).flatMap(\.marks)
    let (gains, losses) = (marks.count { $0 == .gain }, marks.count { $0 == .loss })
    let evicting = evictingSinks.map(\.id).joined(separator: ", ")
    return "; \(named.count.counted("named sink")): \(gains) to gain one (+), \(losses) to lose one (-), "
      + (evicting.isEmpty ? "no unit is evicted from one" : "UNITS ARE EVICTED FROM \(evicting)")
  }

  var json: EventValue {
    var members: [String: EventValue] = [
      "before": .string(before), "after": .string(after), "steps": .array(steps.map(\.json)),
      "saysTheSame": .bool(saysTheSame),
      "evictsUnits": .bool(evictsUnits), "leavesUnitsWithoutSink": .bool(leavesUnitsWithoutSink),
    ]
    if let breakers { members["breakers"] = .array(breakers.map(\.json)) }
    return .object(members)
  }
}

// MARK: - Text

extension RolloutPlan.Events {
  /// The group's patterns, then the changes by context.
  var text: String {
    let head = "\(PlanMark(moves.map(\.mark)).rawValue) \(PlanWords.list(patterns))"
    return ([head] + changes.flatMap(\.lines) + unitLines).joined(separator: "\n")
  }

  private var unitLines: [String] {
    (units.isEmpty ? [] : ["    units that rules name"])
      + PlanTable.lines(
        units.map { unit in
          PlanTable.Row(SinkMove(unit.move), of: unit.example.namedSubject, example: unit.example.withContext)
        })
  }
}

extension RolloutPlan.Change {
  fileprivate var lines: [String] {
    let context = transitions.lazy.compactMap(\.example).first?.description ?? ""
    let setting =
      PlanWords.change("old", before.oldLogger, after.oldLogger) + ", "
      + PlanWords.change("new", before.newTracker, after.newTracker)
    let head = setting + (context.isEmpty ? "" : ", such as with \(context)")
    let shares = transitions.map { transition in
      (SinkMove(transition), transition.share.description, transition.example.unitExample)
    }
    let rows = (shares + [(SinkMove(withoutUnit), "no unit ID", "")]).filter(\.0.isChange)
    return ["    " + head, "      " + PlanWords.deciding(before.decidedBy, after.decidedBy)]
      + PlanTable.lines(rows.map { PlanTable.Row($0, of: $1, example: $2) })
  }
}

extension PlanTable.Row {
  fileprivate init(_ move: SinkMove, of subject: String, example: String) {
    self.init(mark: move.mark, cells: [subject, move.words, move.effect, example])
  }
}

// MARK: - JSON

extension RolloutPlan {
  /// The whole plan, including units that do not change.
  var json: EventValue {
    var members: [String: EventValue] = [
      "before": before.json, "after": after.json, "isReshuffle": .bool(isReshuffle),
      "events": .array(events.map(\.json)), "unchangedPatterns": .int(Int64(unchangedPatterns)),
      "evictsUnits": .bool(evictsUnits), "leavesUnitsWithoutSink": .bool(leavesUnitsWithoutSink),
    ]
    if !namedSinks.isEmpty {
      members["sinks"] = .array(sinks.map(\.json))
      members["evictingSinks"] = .array(evictingSinks.map { .string($0.id) })
    }
    return .object(members)
  }
}

extension RolloutPlan.Revision {
  fileprivate var json: EventValue {
    [
      "revision": .int(revision),
      "time": time.map { .string(Timestamp.text(milliseconds: $0)) } ?? .null,
    ]
  }
}

extension RolloutPlan.Events {
  fileprivate var json: EventValue {
    [
      "patterns": .array(patterns.map { .string($0.description) }), "changes": .array(changes.map(\.json)),
      "units": .array(
        units.map { unit in
          ["event": .string(unit.exampleEvent), "example": unit.example.json, "move": SinkMove(unit.move).json]
        }),
    ]
  }
}

extension RolloutPlan.Change {
  fileprivate var json: EventValue {
    [
      "exampleEvent": .string(exampleEvent), "before": before.json, "after": after.json,
      "withoutUnit": SinkMove(withoutUnit).json,
      "transitions": .array(
        transitions.map { transition in
          [
            "from": .string(transition.from.rawValue), "to": .string(transition.to.rawValue),
            "percentage": transition.share.json, "example": transition.example?.json ?? .null,
          ]
        }),
      "gainsOldLogger": gainsOldLogger.json, "losesOldLogger": losesOldLogger.json,
      "gainsNewTracker": gainsNewTracker.json, "losesNewTracker": losesNewTracker.json,
      "losesEverySink": losesEverySink.json,
    ]
  }
}

extension RolloutPlan.Setting {
  fileprivate var json: EventValue {
    [
      "oldLogger": oldLogger.json, "newTracker": newTracker.json,
      "decidedBy": .array(decidedBy.map { .string($0) }),
    ]
  }
}

extension PopulationShare {
  /// The percentage as a number; exact, for ten decimals fit a double's digits.
  package var json: EventValue { .double(Double(parts) / Double(Self.count / 100)) }
}

extension DecisionContext {
  package var json: EventValue {
    var members: [String: EventValue] = [:]
    if let unitID { members["unitID"] = .string(unitID) }
    for property in ContextProperty.ofApp { members[property.rawValue] = self[property].map { .string($0) } }
    if !attributes.isEmpty { members["attributes"] = .object(attributes.mapValues { .string($0) }) }
    return .object(members)
  }
}
