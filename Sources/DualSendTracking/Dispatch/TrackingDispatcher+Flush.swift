import DualSendCore

/// Callers that wait for delivery.
extension TrackingDispatcher {
  /// Delivers the pending events. Returns when that is done, an obstacle prevents it, or the time is up.
  func flush(timeout: Duration) async -> Tracker.FlushReport {
    health.tryAgain()
    openStore()
    let before = ledger
    await commitPending()
    gate.retryNow()
    let obstacle = await waitForDelivery(timeout: timeout)
    let after = ledger
    let dropped = after.dropped.merging(before.dropped, uniquingKeysWith: -).filter { $0.value > 0 }
    return Tracker.FlushReport(
      sent: after.delivered - before.delivered, pending: after.pending, dropped: dropped,
      deadLettered: max(0, after.deadLettered - before.deadLettered), obstacle: obstacle,
      wait: obstacle == nil ? nil : gate.wait(at: now))
  }

  private func waitForDelivery(timeout: Duration) async -> Tracker.FlushReport.Obstacle? {
    if suspension == .everything { return .paused(.breaker) }
    if let failure = health.failure, !canMakeRoom { return .store(failure) }
    let last: Int64
    do throws(TrackingStoreError) {
      guard let newest = try waitingSequences()?.upperBound else { return nil }
      last = newest
    } catch { return .store(error) }
    let ticket = waiters.add(upTo: last)
    let answers = client.progress.answers
    startDigestIfDue()
    // The timeout counts only if there is no result when this actor resumes.
    try? await Deadline(timeout, sleep: configuration.time.sleep).run { await ticket.wait() }
    return waiters.leave(ticket, orElse: obstacleAtExpiry(answersBefore: answers))
  }

  /// The reason for a timeout. A failed or unanswered request says more than the timeout itself.
  private func obstacleAtExpiry(answersBefore: Int) -> Tracker.FlushReport.Obstacle {
    if case .failing(let failure)? = gate.obstacle(at: now) { return .failing(failure) }
    if let failure = gate.lastFailure { return .failing(failure) }
    let progress = client.progress
    guard progress.phase != .idle, progress.answers == answersBefore else { return .timedOut }
    return .failing(.transport(progress.expiry))
  }

  /// Resumes the callers whose events are done or blocked.
  func settleWaiters() {
    guard !waiters.isEmpty else { return }
    do {
      waiters.settle(oldest: try waitingSequences()?.lowerBound, obstacle: lastingObstacle)
    } catch {
      waiters.settleAll(.store(error))
    }
  }

  /// The sequences in the store. A damaged store that cannot tell them is replaced.
  private func waitingSequences() throws(TrackingStoreError) -> ClosedRange<Int64>? {
    do throws(TrackingStoreError) { return try storeState.store?.waitingSequences() } catch {
      storeFailed(error)
      throw error
    }
  }

  /// An obstacle that does not end by itself within a flush.
  private var lastingObstacle: Tracker.FlushReport.Obstacle? {
    if let failure = health.failure, !canMakeRoom { return .store(failure) }
    switch gate.obstacle(at: now) {
    case nil: return nil
    case .consent: return .consent
    case .paused(let reason): return .paused(reason)
    case .failing(let reason): return gate.openingTime(at: now) == nil ? .failing(reason) : nil
    }
  }
}
