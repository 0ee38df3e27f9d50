/// A front with several sinks: a ``SinkGroup``, or the adapter of a migration.
public protocol SinkFront: EventLogging {
  /// All sinks. Those of a `DualSendTracker` do not include the old logger.
  var sinks: [Sink] { get }
}

extension SinkFront {
  /// A sink by its id.
  public func sink(_ id: Sink.ID) -> Sink? {
    sinks.first { $0.id == id }
  }

  /// How each sink stands. Sinks that are called like a logger have no statistics.
  public var sinkStatistics: [Sink.ID: Sink.Statistics] {
    get async {
      var statistics: [Sink.ID: Sink.Statistics] = [:]
      for sink in sinks { statistics[sink.id] = await sink.statistics }
      return statistics
    }
  }

  /// Delivers what waits in every sink with a store, all of them side by side; see `Tracker.flush(timeout:)`.
  @discardableResult
  public func flush(timeout: Duration = .seconds(30)) async -> [Sink.ID: Tracker.FlushReport] {
    await inEachStore { await $0.flush(timeout: timeout) }
  }

  /// Waits until every event logged before is on disk, in every sink with a store.
  ///
  /// - Returns: how many events are still only in memory, over all sinks: 0, unless a store fails.
  @discardableResult
  public func persist() async -> Int {
    await inEachStore { await $0.persist() }.values.reduce(0, +)
  }

  /// Delivers what it can in every sink with a store, then closes the stores; see `Tracker.shutdown(timeout:)`.
  @discardableResult
  public func shutdown(timeout: Duration = .seconds(5)) async -> [Sink.ID: Tracker.FlushReport] {
    await inEachStore { await $0.shutdown(timeout: timeout) }
  }

  /// Changes whether events may be sent, in every sink with a store; see `Tracker.setConsent(_:)`.
  ///
  /// Each sink begins with its own configuration's consent, which is `.granted` by default. The app itself decides about
  /// the old logger and about every sink that is called on the thread of the call site.
  public func setConsent(_ consent: Tracker.Consent) async {
    _ = await inEachStore { await $0.setConsent(consent) }
  }

  /// Deletes what waits in every sink with a store, and counts it as dropped; see `Tracker.purge()`.
  public func purge() async {
    _ = await inEachStore { await $0.purge() }
  }

  /// Side by side: a sink that hangs does not delay the others.
  private func inEachStore<Value: Sendable>(
    _ work: @escaping @Sendable (Tracker) async -> Value
  ) async -> [Sink.ID: Value] {
    await withTaskGroup(of: (Sink.ID, Value).self) { group in
      for sink in sinks {
        guard let tracker = sink.tracker else { continue }
        group.addTask { (sink.id, await work(tracker)) }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }
}
