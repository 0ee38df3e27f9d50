import DualSendCore
import DualSendRollout
import DualSendTracking
import Logging
import Metrics

extension DeviceBreaker {
  /// Takes what the tracker says of itself; called on the tracker's dispatcher.
  func hear(_ sign: TrackerSign) {
    switch sign {
    case .storeWorks: state.withLock { $0.failingSince = nil }
    case .storeFails(let error): storeFails(error)
    case .opened(let deadLetters): ledgerCounts(Int64(deadLetters), isFirst: true)
    case .deadLettered(let total): ledgerCounts(Int64(total), isFirst: false)
    case .shutDown: launchEnded()
    }
  }

  private func storeFails(_ error: TrackingStoreError) {
    // The uptime measures: the wall clock may jump.
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
      // A database that was set aside took its counts along.
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

  /// Tells of an open breaker at once: the log, the metrics and the app.
  func tell(_ opening: BreakerOpening, isNew: Bool) {
    logger.error("the breaker is open, the new side stays off: \(opening.description)")
    if isNew {
      Counter(label: "dualsend.breaker.opened", dimensions: [("cause", opening.cause.rawValue)]).increment()
    }
    settings.observer?(opening)
  }
}

extension BreakerOpening.Cause {
  /// What a tracker may not do while the breaker is open for this cause.
  var suspension: TrackerSuspension {
    switch self {
    // Anything of the new side may have ended the launches.
    case .earlyEnds: .everything
    // What waits would be refused too.
    case .deadLetters: .delivery
    // Delivering what the store holds makes room.
    case .store: .none
    }
  }
}
