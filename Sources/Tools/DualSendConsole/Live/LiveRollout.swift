import DualSend
import DualSendCore
import DualSendParity
import DualSendRollout

/// The rollout document in force, and earlier ones that apps may still have.
struct LiveRollout: Sendable {
  private let context: DecisionContext
  private var published: [PublishedRollout]
  private(set) var membership: StreamMembership
  private var snapshot: RolloutSnapshot
  /// The newest document of each revision, before any step of its schedules.
  private var snapshots: [Int64: RolloutSnapshot] = [:]
  /// A cache of memberships for events without a unit. Valid while there is one document without schedules.
  private var memberships: [Name: EventMembership] = [:]

  private struct Name: Hashable {
    let side: StreamSide
    let text: ExactText
  }

  private static let maximumNames = 10_000
  private static let maximumDocuments = 100

  init(_ document: RolloutDocument, context: DecisionContext, now: Int64) {
    self.context = context
    snapshot = RolloutSnapshot(document, at: now)
    published = [PublishedRollout(document)]
    snapshots = [document.revision: RolloutSnapshot(document)]
    membership = Self.membership(published, context)
  }

  private static func membership(_ published: [PublishedRollout], _ context: DecisionContext) -> StreamMembership {
    .rollout(RolloutMembership(published, context: context, keys: RolloutMembership.Keys(), at: nil))
  }

  /// The revision in force.
  var revision: Int64? { snapshot.revision }

  /// Puts the next document in force. Apps may use the one before for a while.
  mutating func publish(_ document: RolloutDocument, now: Int64) {
    published.append(PublishedRollout(document, since: now))
    if published.count > Self.maximumDocuments { snapshots[published.removeFirst().document.revision] = nil }
    snapshots[document.revision] = RolloutSnapshot(document)
    membership = Self.membership(published, context)
    snapshot = RolloutSnapshot(document, at: now)
    memberships = [:]
  }

  /// Applies the steps of schedules that are due.
  mutating func advance(to now: Int64) {
    guard let document = published.last?.document, let change = snapshot.nextChange, change <= now else { return }
    snapshot = RolloutSnapshot(document, at: now)
  }

  /// The decision of the document in force.
  func decision(for name: String, unit: String?) -> LiveDecision {
    .computed(decide(name, unit, snapshot), by: snapshot)
  }

  /// The decision that an event carries, with the reasons of its revision's document, if known.
  ///
  /// - Parameter unit: `nil` if the unit is unknown.
  func decision(carried: CarriedDecision, for name: String, unit: String??) -> LiveDecision {
    guard let unit, let snapshot = carried.revision.flatMap({ $0 == revision ? snapshot : snapshots[$0] }) else {
      return .carried(carried, nil, by: nil)
    }
    return .carried(carried, decide(name, unit, snapshot), by: snapshot)
  }

  private func decide(_ name: String, _ unit: String?, _ snapshot: RolloutSnapshot) -> SinkDecision {
    var context = context
    context.unitID = unit
    return snapshot.decision(for: name, context: context)
  }

  /// The membership of an event without a unit and a decision.
  ///
  /// - Parameter oldNames: the possible old names of the event; called only for a name that is not cached.
  mutating func membership(
    of name: String, on side: StreamSide, time: Int64, oldNames: () -> [String]
  ) -> EventMembership {
    let key = Name(side: side, text: ExactText(name))
    if let known = memberships[key] { return known }
    let found = membership.membership(
      decisions: (nil, nil), names: oldNames(), unit: .unknown, time: time, payload: [:])
    if published.count == 1, published[0].document.changeTimes.isEmpty, memberships.count < Self.maximumNames {
      memberships[key] = found
    }
    return found
  }
}
