import DualSendCore
import DualSendTracking

/// A closure that gets events on the thread of the call site, and what became of them.
final class DirectSink: Sendable {
  private struct Counts: Sendable {
    var accepted = 0
    var failed = 0
  }

  private let take: @Sendable (TrackingEvent) throws -> Void
  private let counts = Locked(Counts())

  init(_ take: @escaping @Sendable (TrackingEvent) throws -> Void) {
    self.take = take
  }

  /// Hands one event over. What the closure throws costs this sink the event, and nobody else anything.
  func receive(_ event: TrackingEvent) {
    var isFailed = false
    do { try take(event) } catch { isFailed = true }
    counts.withLock { counts in
      counts.accepted += 1
      if isFailed { counts.failed += 1 }
    }
  }

  var ledger: TrackingLedger {
    let counts = counts.current
    var ledger = TrackingLedger(accepted: counts.accepted, delivered: counts.accepted - counts.failed)
    if counts.failed > 0 { ledger.dropped[.sinkFailed] = counts.failed }
    return ledger
  }
}
