import DualSendCore

/// Store → network: the digest loop takes a batch, sends it and deletes delivered events, until the store is empty.
/// Only one loop runs at a time.
///
/// No suspension separates the end of the loop from setting the next wake-up, so that none is lost.
extension TrackingDispatcher {
  /// Starts the loop if delivery is due; otherwise sets the timer.
  func startDigestIfDue() {
    guard mayStartDigest else { return }
    guard health.failure == nil || canMakeRoom else { return settleWaiters() }
    guard !queue.isEmpty else {
      queue.becameIdle()
      stopTimer()
      return settleWaiters()
    }
    let now = now
    guard gate.obstacle(at: now) == nil else {
      if let opening = gate.openingTime(at: now) { setTimer(due: opening) } else if !canMakeRoom { stopTimer() }
      return settleWaiters()
    }
    let due = queue.due(by: configuration.digest.start, bytes: waitingBytes, at: now)
    if canMakeRoom || due.map({ $0 <= now }) ?? false || !waiters.isEmpty {
      if !canMakeRoom { stopTimer() }
      startDigest()
    } else if let due {
      setTimer(due: due)
    } else {
      stopTimer()
    }
  }

  /// The pending bytes, if the flow control needs them.
  private var waitingBytes: Int {
    guard configuration.digest.start.asksForBytes else { return 0 }
    return (try? storeState.store?.waitingBytes()) ?? 0
  }

  /// Whether the store is full and delivery would make room. Not if a response could not be recorded: a store that
  /// cannot delete would make the loop send the same events again.
  var canMakeRoom: Bool {
    health.failure?.kind == .full && queue.count > 0 && !queue.hasUnrecordedAnswers
  }

  func digest() async {
    while let batch = nextBatch() {
      queue.began(batch)
      let mayGoOn = await deliver(batch)
      queue.ended()
      saveRejectionCount()
      if !intake.staged.isEmpty { commit() }
      // Asks the store, so not after every batch. The others are settled when the store is empty.
      if !mayGoOn || waiters.mayBeSettled(upTo: batch.sequences.upperBound) { settleWaiters() }
      if !mayGoOn { break }
    }
    queue.loopEnded(stored: try? storeState.store?.ledger().pending)
    storeState.store?.reclaimSpace()
    digestEnded()
    startDigestIfDue()
  }

  private func nextBatch() -> ReadyBatch? {
    // Reopen a damaged store that could not be replaced when its wait is over. Otherwise the loop would end and start
    // again without a pause.
    if health.failure == nil { openStore() }
    guard !Task.isCancelled, let store = storeState.store, gate.obstacle(at: now) == nil else { return nil }
    if let following = queue.takeReadAhead() { return following }
    do {
      try queue.recordKeptAnswers { answer throws(TrackingStoreError) in try store.record(answer) }
      let batch = try batch(of: store)
      // Reading works, but events that could not be written still wait for the timer.
      if intake.staged.isEmpty { storeWorks() }
      if batch == nil {
        if let refusal = rejections.roundEnded(), try store.waitingSequences() != nil {
          _ = pause(.everythingRejected(refusal))
        } else {
          queue.foundEmpty()
          rejections.queueEnded()
        }
      }
      return batch
    } catch {
      storeFailed(error)
      return nil
    }
  }

  private func batch(of store: any TrackingDataStore) throws(TrackingStoreError) -> ReadyBatch? {
    guard rejections.isProbing else { return try batch(of: store, from: .min) }
    // Events that the format refuses are skipped in whole batches, because they need no request. After the last event,
    // only a pause starts again with the oldest.
    let isPassingOver = rejections.isPassingOver
    if let start = rejections.probeStart(in: try store.waitingSequences()),
      let probe = try batch(of: store, from: start, events: isPassingOver ? .max : 1)
    {
      return probe
    }
    return isPassingOver ? nil : try batch(of: store, from: .min, events: 1)
  }

  private func batch(
    of store: any TrackingDataStore, from start: Int64, events count: Int = .max
  ) throws(TrackingStoreError) -> ReadyBatch? {
    let digest = configuration.digest
    var sequence = start
    while true {
      let events = try store.batch(
        from: sequence, maximumEvents: min(count, digest.batchEvents), maximumBytes: digest.batchBytes)
      let whole = try withoutDamaged(events, of: store)
      guard whole.isEmpty, let last = events.last?.sequence, last < .max else {
        return ReadyBatch(whole.withoutCutRun(), of: store, for: client)
      }
      sequence = last + 1
    }
  }

  /// Prepares the next batch while one is in flight, if enough events are pending.
  private func readAhead(of batch: ReadyBatch) {
    let (sequence, overflow) = batch.sequences.upperBound.addingReportingOverflow(1)
    guard let store = storeState.store, !overflow, !rejections.isProbing, queue.wantsReadAhead(of: batch)
    else { return }
    // If this fails, the batch is read again in its turn, which reports the error.
    queue.readAhead(try? self.batch(of: store, from: sequence))
  }

  /// Sends a batch, split into smaller parts if the collector requires it.
  ///
  /// - Returns: whether the next batch may follow at once.
  private func deliver(_ batch: ReadyBatch) async -> Bool {
    async let opened = batch.opened()
    readAhead(of: batch)
    let (requests, firstAnswer) = await opened
    var (next, answer) = (requests.first, firstAnswer)
    var parts = RemainingRequests(requests.dropFirst())
    while let request = next {
      if answer == nil { answer = await request.send?() }
      if let given = answer {
        counts.sent()
        answer = nil
        if !answered(given, to: request, of: batch, parts: &parts) { return false }
      } else {
        let reasons = refusals(of: request)
        let cause = request.events.lazy.compactMap { reasons[$0.id] }.first ?? "refused by the format"
        if !rejected(request.events, of: batch, because: reasons, cause: cause, isAnswer: false) { return false }
      }
      next = parts.next(client)
    }
    return true
  }

  /// Handles a response.
  ///
  /// - Returns: whether the next part may follow at once.
  private func answered(
    _ answer: WireAnswer, to request: PreparedRequest, of batch: ReadyBatch, parts: inout RemainingRequests
  ) -> Bool {
    let events = request.events
    switch answer {
    case .delivered(let rejected, let warning):
      if let warning { outcomes.warn(warning) }
      gate.succeeded()
      let all = request.refused.isEmpty ? rejected : rejected.merging(refusals(of: request)) { $1 }
      if events.allSatisfy({ all[$0.id] != nil }) {
        let reason = events.lazy.compactMap { rejected[$0.id] }.first ?? "no event taken"
        return self.rejected(events, of: batch, because: all, cause: rejection(reason))
      }
      rejections.ended()
      return resolve(events, of: batch, rejected: all)
    case .rejected(let reasons):
      let named = events.filter { reasons[$0.id] != nil }
      guard !named.isEmpty, named.count < events.count - request.refused.count else {
        let reason = named.first.flatMap { reasons[$0.id] } ?? "no event named"
        return split(request, of: batch, parts: &parts, because: rejection(reason))
      }
      counts.failed()
      outcomes.split()
      parts.resend(events.filter { reasons[$0.id] == nil })
      return resolve(named, of: batch, rejected: reasons)
    case .tooLarge(let reason): return split(request, of: batch, parts: &parts, because: oversize(reason))
    case .invalid(let reason): return split(request, of: batch, parts: &parts, because: rejection(reason))
    case .refused(let reason): return pause(reason)
    case .retry(let reason, let wait):
      retryLater(batch.store === storeState.store ? events : [], reason, retryAfter: wait)
      return false
    }
  }

  /// Splits a request in halves. A request with a single event is counted as a refusal.
  private func split(
    _ request: PreparedRequest, of batch: ReadyBatch, parts: inout RemainingRequests, because reason: String
  ) -> Bool {
    guard request.events.count > 1 else {
      return rejected(request.events, of: batch, because: [request.events[0].id: reason], cause: reason)
    }
    counts.failed()
    outcomes.split()
    parts.halve(request.events)
    return true
  }

  func resolve(
    _ part: [TrackingData], of batch: ReadyBatch, rejected: [EventID: String]
  ) -> Bool {
    // A new store uses the same sequences for other events.
    guard let store = storeState.store, batch.store === store else { return true }
    let resolution = Resolution(of: part, rejected: rejected)
    queue.answered(part.count)
    outcomes.delivered(resolution.delivered)
    for letter in resolution.deadLettered {
      outcomes.emit(.deadLettered(letter.event.reference, reason: letter.reason))
    }
    do {
      try store.record(resolution)
      if !resolution.deadLettered.isEmpty { notifyHold(.refused(resolution.deadLettered.count)) }
      return true
    } catch {
      queue.keepUnrecorded(resolution)
      storeFailed(error)
      return false
    }
  }

  func pause(_ reason: TrackingOutcome.PauseReason) -> Bool {
    gate.refused(reason, until: now + configuration.pauseAfterRefusal)
    outcomes.emit(.paused(reason))
    return false
  }

  private func retryLater(_ events: [TrackingData], _ reason: TrackingOutcome.RetryReason, retryAfter: Duration?) {
    if Task.isCancelled { return }
    counts.failed()
    let wait = gate.failed(reason, retryAfter: retryAfter, at: now, fraction: configuration.randomFraction)
    outcomes.emit(.retry(reason, after: wait))
    do {
      try storeState.store?.recordFailedAttempt(events)
      if let retryAfter, let store = storeState.store { try keep(retryAfter, in: store) }
    } catch {
      storeFailed(error)
    }
  }
}
