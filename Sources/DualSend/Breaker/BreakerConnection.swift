import DualSendCore
import DualSendRollout
import DualSendTracking

/// What a breaker acts on: the trackers of the new side, and the router.
struct BreakerConnection: Sendable {
  /// The event that reports an opening.
  static let eventName = "dualsend.breaker"

  let tracker: Tracker
  /// The trackers of the new side's other sinks.
  let furtherTrackers: [Tracker]
  /// Makes the router ask the breaker again.
  let decisionsChanged: @Sendable () -> Void
  /// Whether events carry their decision.
  let isStamping: Bool

  func follow(_ suspension: @escaping @Sendable () -> TrackerSuspension) async {
    for tracker in [tracker] + furtherTrackers { await tracker.follow(suspension) }
  }

  /// Hands over an event that reports an opening.
  ///
  /// - Returns: whether it is on disk.
  func report(_ opening: BreakerOpening, at time: Int64) async -> Bool {
    let decision =
      isStamping
      ? DecisionStamp(revision: opening.revision, oldLogger: false, newTracker: true, reason: .scope) : nil
    tracker.capture(
      CapturedEvent(time: time, name: Self.eventName, payload: .values(opening.members), decision: decision))
    return await tracker.persist() == 0
  }
}
