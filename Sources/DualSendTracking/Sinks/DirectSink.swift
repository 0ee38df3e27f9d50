import DualSendCore

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
