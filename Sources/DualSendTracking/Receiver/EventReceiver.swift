public import DualSendCore

/// Takes a tracker's events in a collector's place: another SDK, a file, a log.
///
/// A tracker with a receiver is a tracker like any other: its events wait on disk, go out in batches as ``TrackerConfiguration/FlowControl``
/// says, are tried again as the back-off says, and its ledger balances.
public protocol EventReceiver: Sendable {
  /// Takes events, oldest first, and returns when it has them for good.
  ///
  /// Called off the caller's path, by one task at a time unless an earlier call outlived its time. A process that dies
  /// before the tracker has noted the answer sends the same events again, with the same ids.
  ///
  /// - Throws: ``EventReceiverFailure``, which says what becomes of the events.
  func receive(_ events: [TrackingData]) async throws(EventReceiverFailure)
}

/// Why a receiver did not take all that it was given.
public enum EventReceiverFailure: Error, Sendable, Hashable {
  /// Not now: all of the events are kept and come again, after this long at the earliest.
  case unavailable(String, retryAfter: Duration? = nil)
  /// It will never take these, and has all others: each becomes a dead letter with its reason.
  case rejected([EventID: String])
  /// It took none, because of one or more that it cannot name, or because they are too many at once: they come again in
  /// ever smaller parts, and an event that fails alone becomes a dead letter with this reason.
  case invalid(String)
  /// Nothing gets through until something is changed: delivery pauses, and everything is kept.
  case refused(String)
}
