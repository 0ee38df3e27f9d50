/// What a tracker may not do while a breaker is open.
package enum TrackerSuspension: Sendable, Hashable {
  /// No restriction.
  case none
  /// Events are stored and not delivered.
  case delivery
  /// The store is not opened: stored events wait on disk, new ones in memory.
  case everything
}

/// A part outside the tracker that may suspend it: the breaker of an adapter.
package protocol TrackerHold: Sendable {
  /// What the tracker may not do now.
  var suspension: TrackerSuspension { get }
  /// Called once, when the tracker is created and before it does anything. Must not retain the tracker.
  func add(_ tracker: Tracker)
  /// Handles an event of a tracker, on the tracker's dispatcher. Must return quickly.
  func handle(_ event: TrackerEvent, from tracker: Tracker.Identity)
}

/// An event of a tracker that its hold handles.
package enum TrackerEvent: Sendable {
  /// A read or write of the store succeeded.
  case storeWorks
  /// The store cannot be opened, read or written.
  case storeFails(TrackingStoreError)
  /// The collector permanently refused so many events.
  case refused(Int)
  /// The tracker was shut down.
  case shutDown
}

extension Tracker {
  /// Tells trackers apart.
  package typealias Identity = ObjectIdentifier

  /// The tracker's identity, as its events carry it.
  package var identity: Identity { ObjectIdentifier(dispatcher) }

  /// Applies the suspension of this moment. Of several calls at once, the last one applies the newest answer.
  package func follow(_ suspension: @escaping @Sendable () -> TrackerSuspension) async {
    await dispatcher.follow(suspension)
  }
}
