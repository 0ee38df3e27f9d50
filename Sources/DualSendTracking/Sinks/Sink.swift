import DualSendCore

/// A destination of events.
///
/// ```swift
/// SinkGroup([.tracker("collector", tracker), .buffered("amplitude", to: AmplitudeReceiver()), .debugPrinter()])
/// ```
///
/// A sink with a store has its own ledger, back-off and flow control and never waits for another sink. A sink without a
/// store is called on the caller's thread. In a migration, each sink belongs to the old side, with the original names,
/// or to the new side, with the remapped ones. The rollout document may narrow its events.
public struct Sink: Sendable, Identifiable {
  /// How events reach the sink.
  enum Outlet: Sendable {
    /// Called on the caller's thread like an old logger, with a name and plain values.
    case plain(@Sendable (String, [String: Any]) -> Void)
    /// Called on the caller's thread with the converted and remapped event.
    case direct(DirectSink)
    /// Through a store.
    case tracker(Tracker)
  }

  /// The sink's id, unique in its front.
  public let id: Sink.ID
  let outlet: Outlet

  init(_ id: Sink.ID, _ outlet: Outlet) {
    self.id = id
    self.outlet = outlet
  }

  /// The sink's tracker, with its ledger, outcomes and dead letters; `nil` for a sink without a store.
  public var tracker: Tracker? {
    if case .tracker(let tracker) = outlet { tracker } else { nil }
  }

  /// Calls a sink without a store.
  func receiveDirectly(_ event: TrackingEvent) {
    switch outlet {
    case .plain(let log): log(event.name, event.payload.mapValues(\.plainValue))
    case .direct(let sink): sink.receive(event)
    case .tracker: break
    }
  }

  /// Counts an event that was dropped before it reached the sink.
  func countDropped(_ reason: DropReason) {
    switch outlet {
    case .plain: break
    case .direct(let sink): sink.countDropped(reason)
    case .tracker(let tracker): tracker.countDropped(reason)
    }
  }
}

extension Sink {
  /// The statistics of a sink.
  public struct Statistics: Sendable, Hashable {
    /// The ledger, which always balances.
    public let ledger: TrackingLedger
    /// The state of delivery; `nil` for a sink without a store.
    public let delivery: Tracker.Statistics.Delivery?
  }

  /// The sink's statistics; `nil` for a sink that is called like an old logger.
  public var statistics: Statistics? {
    get async {
      switch outlet {
      case .plain: return nil
      case .direct(let sink):
        return Statistics(ledger: sink.ledger, delivery: nil)
      case .tracker(let tracker):
        let statistics = await tracker.statistics
        return Statistics(ledger: statistics.ledger, delivery: statistics.delivery)
      }
    }
  }
}

/// A closure that receives events on the caller's thread, and its ledger.
final class DirectSink: Sendable {
  private let take: @Sendable (TrackingEvent) throws -> Void
  private let counts = Locked(TrackingLedger())

  init(_ take: @escaping @Sendable (TrackingEvent) throws -> Void) {
    self.take = take
  }

  /// Calls the closure. If it throws, only this sink loses the event.
  func receive(_ event: TrackingEvent) {
    do { try take(event) } catch { return countDropped(.sinkFailed) }
    counts.withLock { ledger in
      ledger.accepted += 1
      ledger.delivered += 1
    }
  }

  func countDropped(_ reason: DropReason) {
    counts.withLock { ledger in
      ledger.accepted += 1
      ledger.dropped[reason, default: 0] += 1
    }
  }

  var ledger: TrackingLedger { counts.current }
}

extension Sink {
  /// The sinks to which a call or a mutation applies. In a migration, it can only narrow what the rollout allows.
  public enum Scope: Sendable, Hashable {
    /// Every sink; in a migration, those that the rollout selects.
    case all
    /// Only the sinks with these ids.
    case only(Set<Sink.ID>)
    /// All sinks except those with these ids.
    case except(Set<Sink.ID>)

    /// Whether it includes a sink.
    public func includes(_ id: Sink.ID) -> Bool {
      switch self {
      case .all: true
      case .only(let ids): ids.contains(id)
      case .except(let ids): !ids.contains(id)
      }
    }
  }
}

// MARK: - ID

extension Sink {
  /// Identifies a sink in scopes, statistics and rollout documents.
  ///
  /// Define your own ids once, so that call sites and scopes cannot misspell them:
  ///
  /// ```swift
  /// extension Sink.ID {
  ///   static let amplitude: Sink.ID = "amplitude"
  /// }
  ///
  /// logger.log("home.view", to: .only([.amplitude]))
  /// ```
  ///
  /// Compared by UTF-8 bytes. A rollout document can name ids of letters, digits, `_`, `-` and `.`.
  public struct ID: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral {
    /// The text.
    public let rawValue: String

    /// Creates an id.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Creates an id from a literal.
    public init(stringLiteral text: String) {
      rawValue = text
    }

    /// The app's old logger. Only `shouldSendLogToOldLogger` decides about it.
    public static let oldLogger: Sink.ID = "oldLogger"
    /// The new tracker. Only `shouldSendLogToNewTracker` decides about it.
    public static let newTracker: Sink.ID = "newTracker"

    /// Whether the bytes are equal.
    public static func == (left: Sink.ID, right: Sink.ID) -> Bool {
      left.rawValue.isExactly(right.rawValue)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(ExactText(rawValue))
    }
  }
}

extension Sink.ID: Comparable {
  /// Orders by bytes.
  public static func < (left: Sink.ID, right: Sink.ID) -> Bool {
    left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
  }
}

extension Sink.ID: CustomStringConvertible {
  /// The text.
  public var description: String { rawValue }
}
