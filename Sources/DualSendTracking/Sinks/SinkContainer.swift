/// A logger with several sinks: a ``SinkGroup`` or the adapter of a migration.
public protocol SinkContainer: EventLogging {
  /// All sinks. Those of a `DualSendTracker` do not include the old logger.
  var sinks: [Sink] { get }
}

extension SinkContainer {
  /// The sink with an id.
  public func sink(_ id: Sink.ID) -> Sink? {
    sinks.first { $0.id == id }
  }

  /// The statistics of each sink. Sinks that are called like a logger have none.
  public var sinkStatistics: [Sink.ID: Sink.Statistics] {
    get async {
      var statistics: [Sink.ID: Sink.Statistics] = [:]
      for sink in sinks { statistics[sink.id] = await sink.statistics }
      return statistics
    }
  }

  /// Delivers the pending events of all sinks with a store, in parallel; see `Tracker.flush(timeout:)`.
  @discardableResult
  public func flush(timeout: Duration = .seconds(30)) async -> [Sink.ID: Tracker.FlushReport] {
    await inEachStore { await $0.flush(timeout: timeout) }
  }

  /// Waits until every earlier event is on disk in all sinks with a store.
  ///
  /// - Returns: how many events are still only in memory; 0 unless a store fails.
  @discardableResult
  public func persist() async -> Int {
    await inEachStore { await $0.persist() }.values.reduce(0, +)
  }

  /// Delivers what it can in all sinks with a store, then closes the stores; see `Tracker.shutdown(timeout:)`.
  @discardableResult
  public func shutdown(timeout: Duration = .seconds(5)) async -> [Sink.ID: Tracker.FlushReport] {
    await inEachStore { await $0.shutdown(timeout: timeout) }
  }

  /// Sets the consent of all sinks with a store; see `Tracker.setConsent(_:)`.
  ///
  /// It is the app's, so a sink that a later release adds has it too. A sink of another party
  /// (``TrackerConfiguration/party``) gets it here as well. The app decides about the old logger and all sinks that are called
  /// on the caller's thread.
  public func setConsent(_ consent: Tracker.Consent) async {
    _ = await inEachStore { await $0.setConsent(consent) }
  }

  /// Sets the consent of all sinks with a store, from code that cannot wait. Holds for the next event of this thread; returns
  /// when the decision is on disk.
  public func setConsent(_ consent: Tracker.Consent) {
    for sink in sinks { sink.tracker?.setConsent(consent) }
  }

  /// Deletes the pending events of all sinks with a store and counts them as dropped; see `Tracker.purge()`.
  public func purge() async {
    _ = await inEachStore { await $0.purge() }
  }

  /// Runs in parallel, so that a sink that hangs does not delay the others.
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
