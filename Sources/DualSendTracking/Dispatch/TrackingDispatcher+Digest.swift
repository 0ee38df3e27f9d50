import DualSendCore

/// Store → network: one loop at a time takes a batch, sends it, deletes what was answered, until the store is empty.
///
/// The loop ends and the next wake-up is arranged without a suspension in between, so that no wake-up is lost.
extension TrackingDispatcher {
  /// Starts the loop if something is due, or sets the timer for when it will be.
  func considerDigest() {
    guard mayStartDigest else { return }
    guard health.failure == nil || mayMakeRoom else { return settleWaiters() }
    guard !queue.isEmpty else {
      queue.rest()
      stopTimer()
      return settleWaiters()
    }
    let now = now
    guard gate.obstacle(at: now) == nil else {
      if let opening = gate.opens(at: now) { setTimer(due: opening) } else if !mayMakeRoom { stopTimer() }
      return settleWaiters()
    }
    let due = queue.due(by: configuration.digest.start, bytes: waitingBytes, at: now)
    if mayMakeRoom || due.map({ $0 <= now }) ?? false || !waiters.isEmpty {
      if !mayMakeRoom { stopTimer() }
      startDigest()
    } else if let due {
      setTimer(due: due)
    } else {
      stopTimer()
    }
  }

  /// How many bytes wait, where the rule asks for that.
  private var waitingBytes: Int {
    guard configuration.digest.start.asksForBytes else { return 0 }
    return (try? hold.store?.waitingBytes()) ?? 0
  }

  /// Whether the store is full and holds events: delivering them makes room. Not while an answer could not be recorded:
  /// a store that cannot even delete would have the same events sent again and again.
  var mayMakeRoom: Bool {
    health.failure?.kind == .full && queue.count > 0 && !queue.owesAnswers
  }

  func digest() async {
    while let batch = nextBatch() {
      queue.began(batch)
      let mayGoOn = await deliver(batch)
      queue.ended()
      noteStreak()
      if !intake.staged.isEmpty { commit() }
      settleWaiters()
      if !mayGoOn { break }
    }
    queue.loopEnded(stored: try? hold.store?.ledger().pending)
    hold.store?.rest()
    digestEnded()
    considerDigest()
  }

  private func nextBatch() -> ReadyBatch? {
    // A damaged store that could not be replaced is opened again when its wait is over. Nothing else may do so for a long
    // time, and without a store the loop would end and start again without a pause.
    if health.failure == nil { openStore() }
    guard !Task.isCancelled, let store = hold.store, gate.obstacle(at: now) == nil else { return nil }
    if let following = queue.takeReadAhead() { return following }
    do {
      try queue.settleAnswers { answer throws(TrackingStoreError) in try store.record(answer) }
      let batch = try batch(of: store)
      // Reading works, but what could not be written still waits for the timer.
      if intake.staged.isEmpty { storeWorks() }
      if batch == nil {
        if let refusal = streak.roundEnded(), try store.waitingSequences() != nil {
          _ = pause(.everythingRejected(refusal))
        } else {
          queue.foundEmpty()
          streak.queueEnded()
        }
      }
      return batch
    } catch {
      storeFailed(error)
      return nil
    }
  }

  private func batch(of store: any TrackingDataStore) throws(TrackingStoreError) -> ReadyBatch? {
    guard streak.isProbing else { return try batch(of: store, from: .min) }
    // What the format refuses costs no request, so that it is passed over in whole batches. This ends behind the last
    // event; only after a pause does it begin again with the oldest.
    let isPassingOver = streak.isPassingOver
    if let start = streak.probeStart(in: try store.waitingSequences()),
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
        return ReadyBatch(whole, of: store, for: client)
      }
      sequence = last + 1
    }
  }

  /// Makes the next batch ready while one is on its way, if as many events wait behind it.
  private func readAhead(of batch: ReadyBatch) {
    let (sequence, overflow) = batch.sequences.upperBound.addingReportingOverflow(1)
    guard let store = hold.store, !overflow, !streak.isProbing, queue.wantsReadAhead(of: batch) else { return }
    // What cannot be read now is read, and its fault reported, when its turn comes.
    queue.readAhead(try? self.batch(of: store, from: sequence))
  }

  /// Sends a batch, in ever smaller parts where the collector asks for it.
  ///
  /// - Returns: whether the next batch may follow at once.
  private func deliver(_ batch: ReadyBatch) async -> Bool {
    async let opened = batch.opened()
    readAhead(of: batch)
    let (requests, firstAnswer) = await opened
    var (next, answer) = (requests.first, firstAnswer)
    var parts = DeliveryParts(requests.dropFirst())
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

  /// Does what an answer asks for.
  ///
  /// - Returns: whether the next part may follow at once.
  private func answered(
    _ answer: WireAnswer, to request: PreparedRequest, of batch: ReadyBatch, parts: inout DeliveryParts
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
      streak.ended()
      return resolve(events, of: batch, rejected: all)
    case .rejected(let reasons):
      let named = events.filter { reasons[$0.id] != nil }
      guard !named.isEmpty, named.count < events.count - request.refused.count else {
        let reason = named.first.flatMap { reasons[$0.id] } ?? "no event named"
        return split(request, of: batch, parts: &parts, because: rejection(reason))
      }
      counts.failed()
      outcomes.split()
      parts.again(events.filter { reasons[$0.id] == nil })
      return resolve(named, of: batch, rejected: reasons)
    case .tooLarge(let reason): return split(request, of: batch, parts: &parts, because: oversize(reason))
    case .invalid(let reason): return split(request, of: batch, parts: &parts, because: rejection(reason))
    case .refused(let reason): return pause(reason)
    case .retry(let reason, let wait):
      retryLater(batch.store === hold.store ? events : [], reason, retryAfter: wait)
      return false
    }
  }

  /// Sends the halves of a request, or decides about the one event that it has.
  private func split(
    _ request: PreparedRequest, of batch: ReadyBatch, parts: inout DeliveryParts, because reason: String
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
    // A fresh store gives the same sequences to other events.
    guard let store = hold.store, batch.store === store else { return true }
    let resolution = Resolution(of: part, rejected: rejected)
    queue.answered(part.count)
    outcomes.delivered(resolution.delivered)
    for letter in resolution.deadLettered {
      outcomes.emit(.deadLettered(letter.event.reference, reason: letter.reason))
    }
    do {
      try store.record(resolution)
      tellOfDeadLetters(resolution.deadLettered.count, in: store)
      return true
    } catch {
      queue.owe(resolution)
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
      try hold.store?.recordFailedAttempt(events)
      if let retryAfter, let store = hold.store { try keep(retryAfter, in: store) }
    } catch {
      storeFailed(error)
    }
  }
}
