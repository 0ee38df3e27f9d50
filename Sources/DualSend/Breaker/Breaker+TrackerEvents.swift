import DualSendCore
import DualSendRollout
package import DualSendTracking
import Logging
import Metrics

extension DualSendTracker.Breaker {
  /// Called by a held tracker on its dispatcher. Only those of the adapter's tracker count.
  package func handle(_ event: TrackerEvent, from tracker: Tracker.Identity) {
    guard state.withLock({ $0.observed == tracker }) else { return }
    switch event {
    case .storeWorks:
      state.withLock { $0.failingSince = nil }
      confirmReport()
    case .storeFails(let error): storeFails(error)
    case .opened(let deadLetters): ledgerCounts(Int64(deadLetters), isFirst: true)
    case .deadLettered(let total): ledgerCounts(Int64(total), isFirst: false)
    case .shutDown: launchEnded()
    }
  }

  private func storeFails(_ error: TrackingStoreError) {
    // By the uptime, because the wall clock may jump.
    let now = time.uptime()
    let since = state.withLock { state in
      let since = state.failingSince ?? now
      state.failingSince = since
      return since
    }
    guard let limit = settings.storeFailure, now - since >= limit else { return }
    open(.store, "the event store failed for \((now - since).inMilliseconds / 1000) s (\(error.kind.rawValue))")
  }

  private func ledgerCounts(_ total: Int64, isFirst: Bool) {
    let (before, record, isNew) = state.withLock { state in
      state.deadLetters = total
      let known = state.record.deadLettersBefore
      // The counts of a database that was set aside are lost.
      let before = known.map { min($0, total) } ?? total
      state.record.deadLettersBefore = before
      return (before, state.record, known != before)
    }
    if isFirst, isNew {
      later { [self] in
        change(otherwise: record) { stored in
          if stored.situation != record.situation { stored = stored.entered(record.situation) }
          stored.deadLettersBefore = before
        }
      }
    }
    guard let limit = settings.deadLetters, total - before > limit else { return }
    open(.deadLetters, "the collector refused \(total - before) events for good, more than \(limit)")
  }

  /// Reports an open breaker to the log, the metrics and the app.
  func tell(_ opening: BreakerOpening, isNew: Bool) {
    logger.error("the breaker is open, the new side stays off: \(opening.description)")
    if isNew {
      Counter(label: "dualsend.breaker.opened", dimensions: [("cause", opening.cause.rawValue)]).increment()
    }
    settings.observer?(opening)
  }
}
