import DualSendCore

/// One place that events go to.
///
/// ```swift
/// SinkGroup([.tracker("collector", tracker), .buffered("amplitude", to: AmplitudeReceiver()), .debugPrinter()])
/// ```
///
/// A sink with a store has a ledger, a back-off and a flow control of its own and never waits for another; one without is
/// called on the thread of the call site. In a migration each sink belongs to the old side, where it gets the original
/// names, or to the new side, where it gets what the remapping table makes of them; the rollout document may narrow it.
public struct Sink: Sendable, Identifiable {
  /// How it takes events.
  enum Outlet: Sendable {
    /// On the caller's thread, by a name and plain values, as an old logger is called.
    case plain(@Sendable (String, [String: Any]) -> Void)
    /// On the caller's thread, converted and, where the front has a table, remapped there.
    case direct(DirectSink)
    /// Through a store.
    case tracker(Tracker)
  }

  /// Tells the sinks of one front apart.
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

  /// Hands an event to a sink without a store.
  func receiveDirectly(_ event: TrackingEvent) {
    switch outlet {
    case .plain(let log): log(event.name, event.payload.mapValues(\.plainValue))
    case .direct(let sink): sink.receive(event)
    case .tracker: break
    }
  }

  /// Counts an event that was given up before the sink got it.
  func countDropped(_ reason: DropReason) {
    switch outlet {
    case .plain: break
    case .direct(let sink): sink.countDropped(reason)
    case .tracker(let tracker): tracker.countDropped(reason)
    }
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

  /// How the sink stands; `nil` for one that is called like a logger.
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
