@_spi(Tools) import DualSendCore

/// A caller that waits until everything up to a sequence is answered for.
struct FlushWaiter: Sendable {
  let id: Int
  let lastSequence: Int64
  let resume: @Sendable (Tracker.FlushReport.Obstacle?) -> Void
}

/// Callers who wait for delivery.
extension TrackingDispatcher {
  /// Sends what waits now and returns when it is answered for, something stands in the way, or the time is up.
  func flush(timeout: Duration) async -> Tracker.FlushReport {
    storeFailure = nil
    openStore()
    let before = ledger
    await takeIn()
    gate.hurry()
    let obstacle = await waitForDelivery(timeout: timeout)
    let after = ledger
    let dropped = after.dropped.merging(before.dropped, uniquingKeysWith: -).filter { $0.value > 0 }
    return Tracker.FlushReport(
      sent: after.delivered - before.delivered, pending: after.pending, dropped: dropped,
      deadLettered: max(0, after.deadLettered - before.deadLettered), obstacle: obstacle)
  }

  private func waitForDelivery(timeout: Duration) async -> Tracker.FlushReport.Obstacle? {
    if let storeFailure, !mayMakeRoom { return .store(storeFailure) }
    guard let last = try? store?.waitingSequences()?.upperBound else { return nil }
    let id = nextWaiterID
    nextWaiterID += 1
    let sleep = configuration.time.sleep
    let deadline = Task { [weak self] in
      guard (try? await sleep(timeout)) != nil else { return }
      await self?.expire(id)
    }
    defer { deadline.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiters.append(FlushWaiter(id: id, lastSequence: last) { continuation.resume(returning: $0) })
        considerDigest()
      }
    } onCancel: {
      Task { await self.expire(id) }
    }
  }

  /// Lets those go whose events are answered for, or stuck.
  func settleWaiters() {
    guard !waiters.isEmpty else { return }
    let oldest: Int64?
    do {
      oldest = try store?.waitingSequences()?.lowerBound
    } catch {
      return release { _ in .some(.store(error)) }
    }
    let obstacle = lastingObstacle
    release { waiter in
      if oldest.map({ $0 > waiter.lastSequence }) ?? true { return .some(nil) }
      return obstacle.map { .some($0) }
    }
  }

  /// An obstacle that does not go by itself within a flush.
  private var lastingObstacle: Tracker.FlushReport.Obstacle? {
    if let storeFailure, !mayMakeRoom { return .store(storeFailure) }
    switch gate.obstacle(at: now) {
    case nil: return nil
    case .consent: return .consent
    case .paused(let reason): return .paused(reason)
    case .failing(let reason): return gate.opens(at: now) == nil ? .failing(reason) : nil
    }
  }

  private func expire(_ id: Int) {
    var reason = Tracker.FlushReport.Obstacle.timedOut
    if case .failing(let failure) = gate.obstacle(at: now) { reason = .failing(failure) }
    release { $0.id == id ? .some(reason) : nil }
  }

  /// Resumes the waiters for which `verdict` has an answer: the obstacle, or none.
  private func release(_ verdict: (FlushWaiter) -> Tracker.FlushReport.Obstacle??) {
    waiters.removeAll { waiter in
      guard let obstacle = verdict(waiter) else { return false }
      waiter.resume(obstacle)
      return true
    }
  }
}
