public import DualSendTracking

/// All sinks at once.
extension DualSendTracker {
  /// A sink by its id; the old logger is none, because the app has it.
  public func sink(_ id: Sink.ID) -> Sink? {
    sinks.all.first { $0.id == id }
  }

  /// How each sink stands; without the old logger, and others like it, who tell nothing.
  public var sinkStatistics: [Sink.ID: Sink.Statistics] {
    get async {
      var statistics: [Sink.ID: Sink.Statistics] = [:]
      for sink in sinks.all { statistics[sink.id] = await sink.statistics }
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
  /// Each sink begins with its own configuration's consent, which is `.granted` by default. The old logger, and every sink
  /// that is called on the thread of the call site, is the app's business.
  public func setConsent(_ consent: Tracker.Consent) async {
    _ = await inEachStore { await $0.setConsent(consent) }
  }

  /// Deletes what waits in every sink with a store, and counts it as dropped; see `Tracker.purge()`.
  public func purge() async {
    _ = await inEachStore { await $0.purge() }
  }

  /// Side by side: one sink that hangs costs the others nothing.
  private func inEachStore<Value: Sendable>(
    _ work: @escaping @Sendable (Tracker) async -> Value
  ) async -> [Sink.ID: Value] {
    await withTaskGroup(of: (Sink.ID, Value).self) { group in
      for entry in sinks.stored {
        guard let tracker = entry.sink.tracker else { continue }
        group.addTask { (entry.sink.id, await work(tracker)) }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }
}
