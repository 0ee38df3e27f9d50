import DualSend
import DualSendCommands
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis

/// A plan for the page: one entry per move, as in `dualsend plan`.
struct RolloutPlanView {
  private let report: PlanReport
  private let steps: [RolloutPlan]

  init(_ report: PlanReport, _ steps: [RolloutPlan]) {
    (self.report, self.steps) = (report, steps)
  }

  var json: EventValue {
    let objections = report.objections(file: "", allowing: [])
    return [
      "moves": .array(steps.flatMap(moves)), "evicted": .bool(!report.evictingSinks.isEmpty || report.evictsUnits),
      "withoutSink": .bool(report.leavesUnitsWithoutSink), "isReshuffle": .bool(report.isReshuffle),
      "changesAnything": .bool(report.changesAnything),
      "needs": .array(Set(objections.map(\.kind.rawValue)).sorted().map { .string($0) }),
      "summary": .string(report.text.split(separator: "\n").last.map(String.init) ?? ""),
      "text": .string(report.text),
    ]
  }

  private func moves(of plan: RolloutPlan) -> [EventValue] {
    plan.events.flatMap { group -> [EventValue] in
      let changes = group.changes.flatMap { change -> [EventValue] in
        let decidedBy = change.after.decidedBy
        return change.transitions.map { (SinkMove($0), $0.share.json, $0.example) }
          .filter { $0.0.isChange }
          .map { move($0, of: group, share: $1, example: $2, decidedBy, at: plan.after.time) }
          + [SinkMove(change.withoutUnit)].filter(\.isChange)
          .map { move($0, of: group, share: .null, example: nil, decidedBy, at: plan.after.time) }
      }
      return changes
        + group.units.map {
          move(SinkMove($0.move), of: group, share: .null, example: $0.example, [], at: plan.after.time)
        }
    } + plan.sinks.flatMap { sinkMoves(of: $0, at: plan.after.time) }
  }

  private func move(
    _ move: SinkMove, of group: RolloutPlan.Events, share: EventValue, example: DecisionContext?, _ decidedBy: [String],
    at time: Int64?
  ) -> EventValue {
    [
      "from": .string(move.from.rawValue), "to": .string(move.to.rawValue), "share": share,
      "events": .array(group.patterns.map { .string($0.description) }),
      "exampleUnit": (example?.unitID).map { .string($0) } ?? .null, "example": example?.json ?? .null,
      "evicts": .bool(move.from.includesNewTracker && !move.to.includesNewTracker),
      "loses": .bool(move.from.includesOldLogger && !move.to.includesOldLogger),
      "withoutSink": .bool(move.to == .neither && move.from != .neither),
      "decidedBy": .array(decidedBy.map { .string($0) }), "time": time.map { .int($0) } ?? .null,
    ]
  }

  /// The moves of a named sink.
  private func sinkMoves(of group: RolloutPlan.SinkEvents, at time: Int64?) -> [EventValue] {
    group.changes.flatMap { change in
      [(change.gains, false), (change.loses, true)].filter { $0.0.share > .none }.map { move, isLoss in
        [
          "sink": .string(group.sink.id), "from": .string(isLoss ? "on" : "off"), "to": .string(isLoss ? "off" : "on"),
          "share": move.share.json, "events": .array(group.patterns.map { .string($0.description) }),
          "exampleUnit": (move.example?.unitID).map { .string($0) } ?? .null, "example": move.example?.json ?? .null,
          "evicts": .bool(isLoss && group.sink.side == .new), "loses": .bool(isLoss && group.sink.side == .old),
          "withoutSink": false, "decidedBy": .array(change.after.decidedBy.map { .string($0) }),
          "time": time.map { .int($0) } ?? .null,
        ]
      }
    }
  }
}
