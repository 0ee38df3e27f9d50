import DualSendCore
public import DualSendTracking

/// One more place that events go to, on the old side of the rollout or on the new one.
///
/// ```swift
/// DualSendTracker(
///   oldLogger: oldLogger, tracker: tracker,
///   oldSinks: [.logger("console", consoleLogger)],
///   newSinks: [.buffered("amplitude", to: AmplitudeReceiver()), .debugPrinter()], …)
/// ```
///
/// A sink gets what its side gets: on the old side the original name and parameters, on the new side what the remapping
/// table makes of them. The rollout document may narrow it further. A sink with a store has a ledger, a back-off and a
/// flow control of its own and never waits for another; one without is called on the thread of the call site.
public struct Sink: Sendable, Identifiable {
  /// How it takes events.
  enum Outlet: Sendable {
    /// On the caller's thread, as an old logger is called.
    case logger(any OldLogger)
    /// On the caller's thread, converted and, on the new side, remapped there.
    case direct(DirectSink)
    /// Through a store.
    case tracker(Tracker)
  }

  /// What tells it apart.
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
}

extension Sink {
  /// What became of the events that a sink was given.
  public struct Statistics: Sendable, Hashable {
    /// What became of every event; always balances.
    public let ledger: TrackingLedger
    /// What delivery is doing; `nil` for a sink without a store.
    public let delivery: Tracker.Statistics.Delivery?
  }

  /// How the sink stands.
  public var statistics: Statistics? {
    get async {
      switch outlet {
      case .logger: return nil
      case .direct(let sink):
        return Statistics(ledger: sink.ledger, delivery: nil)
      case .tracker(let tracker):
        let statistics = await tracker.statistics
        return Statistics(ledger: statistics.ledger, delivery: statistics.delivery)
      }
    }
  }
}
