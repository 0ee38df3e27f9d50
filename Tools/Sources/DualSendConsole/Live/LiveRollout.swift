import DualSend
@_spi(Tools) import DualSendCore
import DualSendParity
@_spi(Tools) import DualSendRollout

/// A rollout document as the console decides by it, for events that come without a decision.
struct LiveRollout: Sendable {
  private let document: RolloutDocument
  private let context: DecisionContext
  private let membership: RolloutMembership
  private var snapshot: RolloutSnapshot

  init(_ document: RolloutDocument, context: DecisionContext, now: Int64) {
    (self.document, self.context) = (document, context)
    snapshot = RolloutSnapshot(document, at: now)
    membership = RolloutMembership(document, context: context, keys: RolloutMembership.Keys(), at: nil)
  }

  /// Takes the steps of schedules that have come.
  mutating func turn(to now: Int64) {
    if let change = snapshot.nextChange, change <= now { snapshot = RolloutSnapshot(document, at: now) }
  }

  func decision(for name: String, unit: String?) -> LiveDecision {
    var context = context
    context.unitID = unit
    return .computed(snapshot.decision(for: name, context: context), by: snapshot)
  }

  /// Where an event belongs whose unit is not known.
  func membership(ofAny names: [String], time: Int64, payload: [String: EventValue]) -> EventMembership {
    membership.membership(of: names, unit: .unknown, time: time, payload: payload)
  }
}
