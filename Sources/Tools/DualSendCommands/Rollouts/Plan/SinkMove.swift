import DualSend
import DualSendCore
package import DualSendRollout
package import DualSendRolloutAnalysis

/// The first character of a plan's line.
enum PlanMark: String, CaseIterable {
  case gain = "+"
  case loss = "-"
  case swap = "~"

  /// The mark of several lines together.
  package init(_ marks: some Collection<PlanMark>) {
    let distinct = Set(marks)
    self = distinct.count == 1 ? distinct.first ?? .swap : .swap
  }

  /// The name in the total line.
  var words: String {
    switch self {
    case .gain: "to gain a sink (+)"
    case .loss: "to lose one (-)"
    case .swap: "to swap (~)"
    }
  }
}

/// The outcomes before and after an edit.
package struct SinkMove: Hashable {
  package let from: SinkDecision.Outcome
  package let to: SinkDecision.Outcome

  package init(_ move: RolloutPlan.Move) {
    (from, to) = (move.from, move.to)
  }

  package init(_ transition: RolloutPlan.Transition) {
    (from, to) = (transition.from, transition.to)
  }

  /// Whether anything changes.
  package var isChange: Bool { from != to }

  private var gains: [String] {
    [
      !from.includesOldLogger && to.includesOldLogger ? "gain old" : nil,
      !from.includesNewTracker && to.includesNewTracker ? "gain new" : nil,
    ].compactMap { $0 }
  }

  private var losses: [String] {
    [
      from.includesOldLogger && !to.includesOldLogger ? "lose old" : nil,
      from.includesNewTracker && !to.includesNewTracker ? "EVICTED from new" : nil,
      to == .neither ? "LEFT WITHOUT A SINK" : nil,
    ].compactMap { $0 }
  }

  /// Only gains, only losses, or both. Defined for moves that change something.
  var mark: PlanMark {
    losses.isEmpty ? .gain : gains.isEmpty ? .loss : .swap
  }

  /// `old only → both`.
  var words: String { "\(from.words) → \(to.words)" }

  /// `gain new`, `lose old`.
  var effect: String { (gains + losses).joined(separator: ", ") }

  var json: EventValue {
    ["from": .string(from.rawValue), "to": .string(to.rawValue)]
  }
}

extension RolloutPlan.Events {
  /// All moves that change something, including those of units without an ID and of named units.
  var moves: [SinkMove] {
    let all = changes.flatMap { $0.transitions.map(SinkMove.init) + [SinkMove($0.withoutUnit)] }
    return all.filter(\.isChange) + units.map { SinkMove($0.move) }
  }
}
