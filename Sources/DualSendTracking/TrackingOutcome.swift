public import DualSendCore

/// What happened to accepted events. Never holds a payload's values.
public enum TrackingOutcome: Sendable, Hashable {
  /// Identifies an event.
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
  /// The collector refused the event permanently, or it was damaged in storage. If the damage is to a row of several
  /// events, their names are empty and their ids are not those that were logged.
  case deadLettered(EventReference, reason: String)
  /// Events were dropped.
  case dropped(DropReason, count: Int)
  /// A value could not be converted. Its event is sent without it.
  case valueLeftOut(eventName: String, EventValue.ConversionIssue)
  /// A request failed. The next attempt follows after the wait; without a wait, there is no automatic attempt.
  case retry(TrackingOutcome.RetryReason, after: Duration?)
  /// Delivery was paused.
  case paused(TrackingOutcome.PauseReason)
  /// The store failed. New events are kept in memory.
  case storeFailed(TrackingStoreError)
  /// A damaged database was set aside. How many events it held is unknown.
  case databaseSetAside
}

extension Tracker {
  /// The result of ``Tracker/flush(timeout:)``.
  public struct FlushReport: Sendable, Hashable {
    /// Events that the collector acknowledged during the flush.
    public let sent: Int
    /// Events that are still pending.
    public let pending: Int
    /// Events dropped during the flush, by reason.
    public let dropped: [DropReason: Int]
    /// Events that became dead letters during the flush.
    public let deadLettered: Int
    /// Why events are still pending, if known.
    public let obstacle: Obstacle?
    /// The wait before the next attempt after a failure; `nil` if it is not waiting for a time.
    public internal(set) var wait: Wait?

    /// A wait for the next attempt.
    public struct Wait: Sendable, Hashable {
      /// The time from the end of the flush.
      public let duration: Duration
      /// Whether the server asked for it (`Retry-After`); otherwise it is the back-off.
      public let isAskedByServer: Bool
    }

    /// Why delivery is blocked.
    public enum Obstacle: Sendable, Hashable {
      /// The timeout was reached.
      case timedOut
      /// The task that flushed was cancelled.
      case cancelled
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
  /// A tracker's state and counters.
  ///
  /// Outcomes and failures are also counted with swift-metrics: `dualsend.events.delivered`,
  /// `dualsend.events.dead_lettered`, `dualsend.events.dropped` (by `reason`), `dualsend.requests.retried`,
  /// `dualsend.store.failures` (by `kind`) and `dualsend.store.set_aside`.
  public struct Statistics: Sendable, Hashable {
    /// The state of delivery.
    public enum Delivery: Sendable, Hashable {
      /// Nothing is due to be sent.
      case idle
      /// A request is in flight.
      case sending
      /// Waiting to retry after a failed request.
      case retrying(TrackingOutcome.RetryReason)
      /// Paused.
      case paused(TrackingOutcome.PauseReason)
      /// Waiting for consent.
      case withheld
    }

    /// The ledger, including events in memory.
    public let ledger: TrackingLedger
    /// Events that wait for other destinations, former addresses and keys, in databases that no tracker uses. They are not in
    /// ``ledger``. ``TrackerConfiguration/formerEndpoints`` sends them here.
    public let waitingElsewhere: Int
    /// The state of delivery.
    public let delivery: Delivery
    /// Why events are kept in memory alone: no folder for the database can be made or written. They are delivered, but lost
    /// when the process ends. `nil` if there is a database, or if the configuration asks for memory.
    public let inMemoryBecause: TrackingStoreError?
    /// Requests sent since the tracker was created.
    public let requests: Int
    /// Failed requests that were, or will be, sent again.
    public let retries: Int
  }
}

// MARK: - Reasons

extension TrackingOutcome {
  /// Why delivery is paused.
  public enum PauseReason: Sendable, Hashable {
    /// The collector responded with a status that a retry does not cure, such as 401, 403 or 404.
    case status(Int)
    /// The collector sent a redirect that must not be followed, such as a 302, which would lose the batch.
    case redirected(HTTPTransportError.RefusedRedirect)
    /// Many events in a row were refused, the last for this reason, so the events are probably not at fault.
    case everythingRejected(String)
    /// The collector or the receiver reported this.
    case reported(String)
    /// ``Tracker/pause()`` was called.
    case manual
    /// The adapter's breaker keeps the new side off.
    case breaker
  }
}

extension TrackingOutcome {
  /// Why a batch has to be sent again.
  public enum RetryReason: Sendable, Hashable {
    /// The collector responded with a temporary status, such as 429 or 503.
    case status(Int)
    /// The response is successful but is a web page, for example of a captive portal or a proxy.
    case webPage(status: Int)
    /// The response is successful but lacks the JSON object that the ``TrackingEndpoint`` requires, or its object cannot be
    /// read.
    case notAcknowledged(status: Int)
    /// There was no response.
    case transport(HTTPTransportError)
    /// In an earlier launch, the server asked to wait (`Retry-After`).
    case askedToWait
    /// The collector or the receiver reported this.
    case reported(String)
  }
}

extension TrackingOutcome.PauseReason: CustomStringConvertible {
  /// One factual line.
  public var description: String {
    switch self {
    case .status(let status): "the collector answers \(status)"
    case .redirected(let redirect): redirect.description
    case .everythingRejected(let reason): "every event is \(reason)"
    case .reported(let reason): reason
    case .manual: "paused by the app"
    case .breaker: "the breaker on the device keeps the new side off"
    }
  }
}

extension TrackingOutcome.RetryReason: CustomStringConvertible {
  /// One factual line.
  public var description: String {
    switch self {
    case .status(let status): "the collector answers \(status)"
    case .webPage(let status):
      "the response \(status) is a web page and acknowledges nothing: a captive portal or a proxy responded instead of the collector"
    case .notAcknowledged(let status): "the answer \(status) is not the JSON object that acknowledges a batch"
    case .transport(let error): error.description
    case .askedToWait: "the collector asked an earlier run to wait (Retry-After)"
    case .reported(let reason): reason
    }
  }
}

// MARK: - Drop reason
