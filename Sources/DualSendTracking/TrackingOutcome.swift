public import DualSendCore

/// Something that happened to events after they were accepted. Never holds a payload's values.
public enum TrackingOutcome: Sendable, Hashable {
  /// Which event it is about.
  public struct EventReference: Sendable, Hashable {
    /// The event's id.
    public let id: EventID
    /// The event's name.
    public let name: String
  }

  /// The events are on disk.
  case stored([EventReference])
  /// The collector has the events.
  case delivered([EventReference])
  /// The collector refused the event for good.
  case deadLettered(EventReference, reason: String)
  /// Events were given up.
  case dropped(DropReason, count: Int)
  /// A value could not be converted; its event went on without it.
  case valueLeftOut(eventName: String, EventValue.ConversionIssue)
  /// A request failed; the next attempt follows by itself after the wait, or not by itself where there is none.
  case retry(TrackingOutcome.RetryReason, after: Duration?)
  /// Delivery waits for a change.
  case paused(TrackingOutcome.PauseReason)
  /// The store failed; its events wait in memory.
  case storeFailed(TrackingStoreError)
  /// A damaged database was set aside. How many events it held is unknown.
  case databaseSetAside
}

extension Tracker {
  /// What a ``Tracker/flush(timeout:)`` did.
  public struct FlushReport: Sendable, Hashable {
    /// Events that the collector acknowledged during the flush.
    public let sent: Int
    /// Events that still wait.
    public let pending: Int
    /// Events given up during the flush, by reason.
    public let dropped: [DropReason: Int]
    /// Events that the collector refused for good during the flush.
    public let deadLettered: Int
    /// Why events still wait, where that is known.
    public let obstacle: Obstacle?
    /// How long delivery waits for its next attempt after a failure; `nil` if it does not wait for a time.
    public internal(set) var wait: Wait?

    /// A wait for the next attempt.
    public struct Wait: Sendable, Hashable {
      /// How long from the end of the flush on.
      public let duration: Duration
      /// Whether the server asked for it (`Retry-After`); otherwise it is the back-off.
      public let isAskedByServer: Bool
    }

    /// What stands in the way of delivery.
    public enum Obstacle: Sendable, Hashable {
      /// The time was up.
      case timedOut
      /// Consent is not granted.
      case consent
      /// Delivery is paused.
      case paused(TrackingOutcome.PauseReason)
      /// The last request failed.
      case failing(TrackingOutcome.RetryReason)
      /// The store fails.
      case store(TrackingStoreError)
    }
  }
}

extension Tracker {
  /// How a tracker stands.
  ///
  /// What ends an event, and what fails, also counts through swift-metrics: `dualsend.events.delivered`,
  /// `dualsend.events.dead_lettered`, `dualsend.events.dropped` (by `reason`), `dualsend.requests.retried`,
  /// `dualsend.store.failures` (by `kind`) and `dualsend.store.set_aside`.
  public struct Statistics: Sendable, Hashable {
    /// What delivery is doing.
    public enum Delivery: Sendable, Hashable {
      /// Nothing to send, or waiting for more to send.
      case idle
      /// A request is under way.
      case sending
      /// Waiting after a failed request.
      case retrying(TrackingOutcome.RetryReason)
      /// Waiting for a change.
      case paused(TrackingOutcome.PauseReason)
      /// Waiting for consent.
      case withheld
    }

    /// What became of every event, memory included.
    public let ledger: TrackingLedger
    /// What delivery is doing.
    public let delivery: Delivery
    /// Requests sent since the tracker was created.
    public let requests: Int
    /// Requests of those that failed and were, or will be, sent again.
    public let retries: Int
  }
}
