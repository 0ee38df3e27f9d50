import DualSendCore

/// A closure that gets events on the thread of the call site, and what became of them.
final class DirectSink: Sendable {
  private let take: @Sendable (TrackingEvent) throws -> Void
  private let counts = Locked(TrackingLedger())

  init(_ take: @escaping @Sendable (TrackingEvent) throws -> Void) {
    self.take = take
  }

  /// Hands one event over. An error of the closure costs only this sink the event.
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
