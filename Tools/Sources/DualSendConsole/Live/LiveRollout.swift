import DualSend
import DualSendCore
import DualSendParity
import DualSendRollout

/// A rollout document as the console decides by it, for events that come without a decision.
struct LiveRollout: Sendable {
  private let document: RolloutDocument
  private let context: DecisionContext
  private let membership: RolloutMembership
  private var snapshot: RolloutSnapshot
  /// Where events of a name belong that come without a unit: the same for each of them, unless there are schedules.
  private var memberships: [Name: EventMembership] = [:]

  private struct Name: Hashable {
    let side: StreamSide
    let text: ExactText
  }

  private static let maximumNames = 10_000

  init(_ document: RolloutDocument, context: DecisionContext, now: Int64) {
    (self.document, self.context) = (document, context)
    snapshot = RolloutSnapshot(document, at: now)
    membership = RolloutMembership(
      [PublishedRollout(document)], context: context, keys: RolloutMembership.Keys(), at: nil)
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
  ///
  /// - Parameter oldNames: the old names that the event may have; asked for only if the name is new here.
  mutating func membership(
    of name: String, on side: StreamSide, time: Int64, oldNames: () -> [String]
  ) -> EventMembership {
    let key = Name(side: side, text: ExactText(name))
    if let known = memberships[key] { return known }
    let found = membership.membership(of: oldNames(), unit: .unknown, time: time, payload: [:])
    if document.changeTimes.isEmpty, memberships.count < Self.maximumNames { memberships[key] = found }
    return found
  }
}
