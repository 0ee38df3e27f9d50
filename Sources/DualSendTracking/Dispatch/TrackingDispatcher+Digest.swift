@_spi(Tools) import DualSendCore

/// An answered part of a batch: what the store has to delete, and as what to count it.
struct Resolution: Sendable {
  var delivered: [TrackingData] = []
  var deadLettered: [DeadLetter] = []
}

/// Store → network: one loop at a time takes a batch, sends it, deletes what was answered, until the store is empty.
///
/// The loop ends and the next wake-up is arranged without a suspension in between, so that no wake-up is lost.
extension TrackingDispatcher {
  /// After this many single events refused in a row, with none accepted, the fault is not in the events.
  private static let rejectionLimit = 100

  /// Starts the loop if something is due, or sets the timer for when it will be.
  func considerDigest() {
    guard digestTask == nil, !isShutDown else { return }
    guard storeFailure == nil || mayMakeRoom else { return settleWaiters() }
    guard storedCount > 0 || !unrecorded.isEmpty else {
      waitingSince = nil
      stopTimer()
      return settleWaiters()
    }
    let now = now
    guard gate.obstacle(at: now) == nil else {
      if let opening = gate.opens(at: now) { setTimer(due: opening) } else if !mayMakeRoom { stopTimer() }
      return settleWaiters()
    }
    let due = (waitingSince ?? now) + configuration.digest.longestWait
    if mayMakeRoom || storedCount >= configuration.digest.eventCount || due <= now || !waiters.isEmpty {
      if !mayMakeRoom { stopTimer() }
      digestTask = Task { await digest() }
    } else {
      setTimer(due: due)
    }
  }

  /// Whether the store is full and holds events: delivering them makes room. Not while an answer could not be recorded:
  /// a store that cannot even delete would have the same events sent again and again.
  var mayMakeRoom: Bool {
    storeFailure?.kind == .full && storedCount > 0 && unrecorded.isEmpty
  }

  private func digest() async {
    while let batch = nextBatch() {
      inFlight = batch.sequences
      let mayGoOn = await deliver(batch)
      inFlight = nil
      if !staged.isEmpty { commit() }
      settleWaiters()
      if !mayGoOn { break }
    }
    // What a purge took during a request was counted off twice; a count too low would lose the next wake-up.
    storedCount = (try? store?.ledger().pending) ?? storedCount
    following = nil
    digestTask = nil
    considerDigest()
  }

  private func nextBatch() -> ReadyBatch? {
    guard !Task.isCancelled, let store, gate.obstacle(at: now) == nil else { return nil }
    if let following {
      self.following = nil
      return following
    }
    do {
      while let resolution = unrecorded.first {
        try store.resolve(delivered: resolution.delivered, deadLettered: resolution.deadLettered)
        unrecorded.removeFirst()
      }
      let batch = try batch(of: store)
      // Reading works, but what could not be written still waits for the timer.
      if staged.isEmpty { storeWorks() }
      if batch == nil { storedCount = 0 }
      return batch
    } catch {
      storeFailed(error)
      return nil
    }
  }

  private func batch(
    of store: any TrackingDataStore, from sequence: Int64 = .min
  ) throws(TrackingStoreError) -> ReadyBatch? {
    let digest = configuration.digest
    let events = try store.batch(
      from: sequence, maximumEvents: digest.batchEvents, maximumBytes: digest.batchBytes)
    return ReadyBatch(events, of: store, for: client)
  }

  /// Makes the next batch ready while one is on its way, if as many events wait behind it.
  private func readAhead(of batch: ReadyBatch) {
    let (sequence, overflow) = batch.sequences.upperBound.addingReportingOverflow(1)
    guard let store, !overflow, storedCount >= 2 * batch.events.count else { return }
    // What cannot be read now is read, and its fault reported, when its turn comes.
    following = try? self.batch(of: store, from: sequence)
  }

  /// Sends a batch, in ever smaller parts where the collector asks for it.
  ///
  /// - Returns: whether the next batch may follow at once.
  private func deliver(_ batch: ReadyBatch) async -> Bool {
    async let answerToAll = client.send(batch.request.value)
    readAhead(of: batch)
    var parts = [batch.events[...]]
    var refusedInARow = 0
    while let part = parts.popLast() {
      requests += 1
      let isAll = part.count == batch.events.count
      switch isAll ? await answerToAll : await client.send(client.request(for: Array(part))) {
      case .accepted(let rejected):
        refusedInARow = 0
        gate.succeeded()
        if !resolve(part, of: batch, rejected: rejected) { return false }
      case .tooLarge(let status), .invalid(let status):
        if part.count > 1 {
          retries += 1
          outcomes.split()
          let middle = part.startIndex + part.count / 2
          parts.append(part[middle...])
          parts.append(part[..<middle])
        } else {
          refusedInARow += 1
          if refusedInARow > Self.rejectionLimit { return pause(.everythingRejected(status: status)) }
          let reason = status == 413 ? "too large for the collector (413)" : "rejected by the collector (\(status))"
          if !resolve(part, of: batch, rejected: [part[part.startIndex].id: reason]) { return false }
        }
      case .refused(let reason):
        return pause(reason)
      case .unavailable(let reason, let retryAfter):
        retryLater(batch.store === store ? Array(part) : [], reason, retryAfter: retryAfter)
        return false
      }
    }
    return true
  }

  private func resolve(
    _ part: ArraySlice<TrackingData>, of batch: ReadyBatch, rejected: [EventID: String]
  ) -> Bool {
    // A fresh store gives the same sequences to other events.
    guard let store, batch.store === store else { return true }
    var resolution = Resolution()
    for event in part {
      if let reason = rejected[event.id] {
        resolution.deadLettered.append(DeadLetter(event: event, reason: reason))
      } else {
        resolution.delivered.append(event)
      }
    }
    storedCount = max(0, storedCount - part.count)
    outcomes.delivered(resolution.delivered)
    for letter in resolution.deadLettered {
      outcomes.emit(.deadLettered(letter.event.reference, reason: letter.reason))
    }
    do {
      try store.resolve(delivered: resolution.delivered, deadLettered: resolution.deadLettered)
      return true
    } catch {
      unrecorded.append(resolution)
      storeFailed(error)
      return false
    }
  }

  private func pause(_ reason: TrackingOutcome.PauseReason) -> Bool {
    gate.refused(reason, until: now + configuration.pauseAfterRefusal)
    outcomes.emit(.paused(reason))
    return false
  }

  private func retryLater(_ events: [TrackingData], _ reason: TrackingOutcome.RetryReason, retryAfter: Duration?) {
    if Task.isCancelled { return }
    retries += 1
    let wait = gate.failed(reason, retryAfter: retryAfter, at: now, fraction: configuration.randomFraction)
    outcomes.emit(.retry(reason, after: wait))
    do {
      try store?.recordFailedAttempt(events)
      if let retryAfter {
        let moment = configuration.time.wallMilliseconds() + retryAfter.milliseconds
        try store?.setNote(Self.retryAfterNote, moment)
      }
    } catch {
      storeFailed(error)
    }
  }

  // MARK: The one timer

  /// Makes the timer fire at this moment, or earlier if it is set so already.
  func setTimer(due: Duration) {
    if let timer, timer.due <= due, timer.due > now { return }
    stopTimer()
    guard !isShutDown else { return }
    let wait = max(.zero, due - now)
    let sleep = configuration.time.sleep
    let task = Task { [weak self] in
      guard (try? await sleep(wait)) != nil else { return }
      await self?.timerFired(due: due)
    }
    timer = (due, task)
  }

  func stopTimer() {
    timer?.task.cancel()
    timer = nil
  }

  private func timerFired(due: Duration) async {
    guard timer?.due == due else { return }
    timer = nil
    storeFailure = nil
    await takeIn()
  }
}
