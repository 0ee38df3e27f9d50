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
    let now = now
    if let end = rejections.restsUntil, end <= now { tryRefusedAgain() }
    guard !queue.isEmpty else {
      queue.becameIdle()
      if let end = rejections.restsUntil { setTimer(due: end) } else { stopTimer() }
      return settleWaiters()
    }
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
      saveRejections()
      if !intake.staged.isEmpty { commit() }
      // Asks the store, so not after every batch. The others are settled when the store is empty.
      if !mayGoOn || waiters.mayBeSettled(upTo: batch.sequences.upperBound) { settleWaiters() }
      if !mayGoOn { break }
    }
    let stored = try? storeState.store?.ledger().pending
    queue.loopEnded(stored: stored.map { max(0, $0 - (rejections.restsUntil == nil ? 0 : rejections.count)) })
    storeState.store?.reclaimSpace()
    digestEnded()
    startDigestIfDue()
  }

  private func nextBatch() -> ReadyBatch? {
    // Reopen a damaged store that could not be replaced when its wait is over. Otherwise the loop would end and start
    // again without a pause.
    if health.failure == nil { openStore() }
    followConsent()
    guard !Task.isCancelled, purges == 0, hasDeleted(), let store = storeState.store, gate.obstacle(at: now) == nil
    else { return nil }
    if let following = queue.takeReadAhead() { return following }
    do {
      try queue.recordKeptAnswers { answer throws(TrackingStoreError) in try store.record(answer) }
      let batch = try batch(of: store)
      // Reading works, but events that could not be written still wait for the timer.
      if intake.staged.isEmpty { storeWorks() }
      if batch == nil { queue.foundEmpty() }
      return batch
    } catch {
      storeFailed(error)
      return nil
    }
  }

  /// The next events to send. When there are none after those that were refused, these rest.
  private func batch(of store: any TrackingDataStore) throws(TrackingStoreError) -> ReadyBatch? {
    if let batch = try batch(of: store, from: rejections.start) { return batch }
    let end = now + configuration.retry.pauseAfterRefusal
    return rejections.reachedEnd(restingUntil: end) ? try batch(of: store, from: .min) : nil
  }

  private func batch(of store: any TrackingDataStore, from start: Int64) throws(TrackingStoreError) -> ReadyBatch? {
    let digest = configuration.digest
    var sequence = start
    while true {
      let events = try store.batch(
        from: sequence, maximumEvents: min(rejections.maximumEvents, digest.batchEvents),
        maximumBytes: digest.batchBytes)
      let whole = rejections.choose(from: try withoutDamaged(events, of: store), areOldest: sequence == .min)
      guard whole.isEmpty, let last = events.last?.sequence, last < .max else {
        return ReadyBatch(whole.withoutCutRun(), of: store, for: client)
      }
      sequence = last + 1
    }
  }

  /// Prepares the next batch while one is in flight, if enough events are pending.
  private func readAhead(of batch: ReadyBatch) {
    let (sequence, overflow) = batch.sequences.upperBound.addingReportingOverflow(1)
    guard let store = storeState.store, !overflow, rejections.isEmpty, queue.wantsReadAhead(of: batch)
    else { return }
    // If this fails, the batch is read again in its turn, which reports the error.
    queue.readAhead(try? self.batch(of: store, from: sequence))
  }

  // MARK: A batch

  /// Sends the requests of a batch, one after the other.
  ///
  /// - Returns: whether the next batch may follow at once.
  private func deliver(_ batch: ReadyBatch) async -> Bool {
    let (endpoint, before) = (endpointGeneration, withdrawals.current)
    async let opened = batch.opened { [withdrawals] in withdrawals.current == before }
    readAhead(of: batch)
    let (requests, firstAnswer) = await opened
    for (index, request) in requests.enumerated() {
      var answer = index == 0 ? firstAnswer : nil
      if answer == nil, let send = request.send {
        followConsent()
        // Whatever was withdrawn meanwhile: the loop reads the next batch under the conditions of now.
        guard withdrawals.current == before, !Task.isCancelled, gate.obstacle(at: now) == nil else { return true }
        answer = await send()
      }
      let next =
        if let answer {
          answered(answer, to: request, of: batch, isCurrent: endpoint == endpointGeneration)
        } else {
          unsendable(request, of: batch)
        }
      guard next == .nextRequest else { return next == .nextBatch }
    }
    return true
  }

  /// How the loop goes on after a request.
  private enum Next {
    case nextRequest
    case nextBatch
    case wait
  }

  /// Handles a response.
  ///
  /// - Parameter isCurrent: whether it comes from the endpoint in force. If not, only a delivery counts.
  private func answered(
    _ answer: WireAnswer, to request: PreparedRequest, of batch: ReadyBatch, isCurrent: Bool
  ) -> Next {
    counts.sent()
    let events = request.events
    guard isCurrent else {
      if case .delivered(let rejected, _) = answer { _ = resolve(events.filter { rejected[$0.id] == nil }, of: batch) }
      return .nextBatch
    }
    switch answer {
    case .delivered(let rejected, let warning):
      if let warning { outcomes.warn(warning) }
      gate.succeeded()
      forgetRetryAfter()
      let all = request.refused.isEmpty ? rejected : rejected.merging(refusals(of: request)) { $1 }
      if events.allSatisfy({ all[$0.id] != nil }) {
        let cause = events.lazy.compactMap { rejected[$0.id] }.first.map(rejection)
        return refused(
          events, of: batch, because: all, cause: cause, byCollector: events.count { rejected[$0.id] != nil })
      }
      rejections.accepted(events)
      return resolve(events, of: batch, rejected: all, byCollector: rejected.count) ? .nextRequest : .wait
    case .rejected(let reasons):
      let named = events.filter { reasons[$0.id] != nil }
      guard !named.isEmpty, named.count < events.count - request.refused.count else {
        let reason = named.first.flatMap { reasons[$0.id] } ?? "no event named"
        return split(request, of: batch, because: rejection(reason))
      }
      counts.failed()
      return refused(named, of: batch, because: reasons, byCollector: 0, areNamed: true)
    case .tooLarge(let reason): return split(request, of: batch, because: oversize(reason), forItsSize: true)
    case .invalid(let reason): return split(request, of: batch, because: rejection(reason))
    case .refused(let reason):
      if case .status(let status) = reason, let next = search(request, of: batch, because: status) {
        return next == .wait ? pause(reason, for: searchPause) : next
      }
      return pause(reason)
    case .retry(let reason, let wait):
      if case .status(let status) = reason, wait == nil, let next = search(request, of: batch, because: status),
        next != .wait
      {
        return next
      }
      retryLater(batch.store === storeState.store ? events : [], reason, retryAfter: wait)
      return .wait
    }
  }

  /// Makes the next batches smaller, until the refused event stands alone.
  private func split(
    _ request: PreparedRequest, of batch: ReadyBatch, because reason: String, forItsSize: Bool = false
  ) -> Next {
    let sent = request.events.filter { request.refused[$0.id] == nil }
    guard sent.count > 1 else {
      return refused(sent, of: batch, because: Dictionary(sent.map { ($0.id, reason) }) { $1 }, byCollector: 1)
    }
    counts.failed()
    outcomes.split()
    rejections.split(sent, forItsSize: forItsSize)
    queue.discardReadAhead()
    return .nextBatch
  }

  /// Searches for an event that may be at fault for a status that normally means the server.
  ///
  /// - Returns: how the loop goes on; `nil` if the server is at fault.
  private func search(_ request: PreparedRequest, of batch: ReadyBatch, because status: Int) -> Next? {
    let sent = request.events.filter { request.refused[$0.id] == nil }
    switch rejections.failed(sent, because: "\(status)") {
    case .none: return nil
    case .oneOfThem:
      outcomes.split()
      rejections.split(sent, forItsSize: false)
      queue.discardReadAhead()
      return .wait
    case .theEvent:
      let before = rejections.count
      let reasons = Dictionary(sent.map { ($0.id, rejection("\(status)")) }) { $1 }
      let next = refused(sent, of: batch, because: reasons, byCollector: 1)
      // The next event goes at once, because a launch may be shorter than a pause; the third that fails ends the search.
      if rejections.count < before { rejections.confirm("\(status)") }
      return next
    }
  }

  /// The pause of a search, which grows up to that after a refusal.
  private var searchPause: Duration {
    min(.seconds(60 << min(max(0, rejections.searchFailures - 1), 10)), configuration.retry.pauseAfterRefusal)
  }

  /// Handles events of which the format makes no request.
  private func unsendable(_ request: PreparedRequest, of batch: ReadyBatch) -> Next {
    let reasons = refusals(of: request)
    // Their bytes are damaged, so no collector is asked.
    let damaged = request.events.filter { reasons[$0.id] == DeadLetter.damaged }
    if !damaged.isEmpty, !resolve(damaged, of: batch, rejected: reasons) { return .wait }
    let others = request.events.filter { reasons[$0.id] != DeadLetter.damaged }
    return others.isEmpty ? .nextRequest : refused(others, of: batch, because: reasons, byCollector: 0)
  }

  /// Handles events that were refused alone, or all of a request.
  ///
  /// - Parameters:
  ///   - cause: the reason that a pause reports, if not the event's.
  ///   - count: how many of them the collector refused.
  ///   - areNamed: whether the answer names them among others, which are sent again without them.
  private func refused(
    _ events: [TrackingData], of batch: ReadyBatch, because reasons: [EventID: String], cause: String? = nil,
    byCollector count: Int, areNamed: Bool = false
  ) -> Next {
    // The store was replaced, so the events are gone.
    guard batch.store === storeState.store else { return .nextBatch }
    queue.discardReadAhead()
    var letters: [TrackingData] = []
    for event in events {
      guard let reason = reasons[event.id] else { continue }
      if rejections.refused(event, because: cause ?? reason, isNamed: areNamed) == .deadLetter { letters.append(event) }
    }
    if !letters.isEmpty, !resolve(letters, of: batch, rejected: reasons, byCollector: letters.count) { return .wait }
    let isPassedOver = letters.count < events.count
    if isPassedOver, rejections.mustPause(after: count) { return pause(.everythingRejected(rejections.reason)) }
    return .nextBatch
  }

  /// Records what became of events.
  ///
  /// - Parameters:
  ///   - rejected: those that become dead letters, and why.
  ///   - count: how many of these the collector refused.
  /// - Returns: whether the store has recorded it.
  private func resolve(
    _ part: [TrackingData], of batch: ReadyBatch, rejected: [EventID: String] = [:], byCollector count: Int = 0
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
      if count > 0, !resolution.deadLettered.isEmpty { notifyHold(.refused(count)) }
      return true
    } catch {
      queue.keepUnrecorded(resolution)
      storeFailed(error)
      return false
    }
  }

  private func pause(_ reason: TrackingOutcome.PauseReason, for wait: Duration? = nil) -> Next {
    gate.refused(reason, until: now + (wait ?? configuration.retry.pauseAfterRefusal))
    outcomes.emit(.paused(reason))
    return .wait
  }

  private func retryLater(_ events: [TrackingData], _ reason: TrackingOutcome.RetryReason, retryAfter: Duration?) {
    if Task.isCancelled { return }
    counts.failed()
    let wait = gate.failed(reason, retryAfter: retryAfter, at: now, fraction: configuration.retry.randomFraction)
    outcomes.emit(.retry(reason, after: wait))
    do {
      try storeState.store?.recordFailedAttempt(events)
      if let retryAfter, let store = storeState.store { try keep(retryAfter, in: store) }
    } catch {
      storeFailed(error)
    }
  }

  // MARK: Refused and damaged events

  /// Sends the events that were refused and rest, once more.
  func tryRefusedAgain() {
    guard rejections.restsUntil != nil else { return }
    rejections.beginRound()
    queue.stored(rejections.count, at: now)
  }

  private func oversize(_ reason: String) -> String { "too large for the \(client.recipient) (\(reason))" }
  private func rejection(_ reason: String) -> String { "rejected by the \(client.recipient) (\(reason))" }

  /// Why events of a request are not in it.
  private func refusals(of request: PreparedRequest) -> [EventID: String] {
    request.refused.mapValues { $0 == DeadLetter.damaged ? $0 : "refused by the format: \($0)" }
  }

  /// Keeps the place among refused events across a restart. Without it, the next launch takes longer to get past them.
  private func saveRejections() {
    guard let store = storeState.store else { return }
    do { try rejections.save(in: store) } catch { storeFailed(error) }
  }

  /// Makes damaged events dead letters, and returns the others.
  private func withoutDamaged(
    _ events: [TrackingData], of store: any TrackingDataStore
  ) throws(TrackingStoreError) -> [TrackingData] {
    let letters = events.filter(\.isDamaged).map { DeadLetter(event: $0, reason: DeadLetter.damaged) }
    guard !letters.isEmpty else { return events }
    try store.resolve(delivered: [], deadLettered: letters)
    queue.answered(letters.count)
    for letter in letters { outcomes.emit(.deadLettered(letter.event.reference, reason: letter.reason)) }
    return events.filter { !$0.isDamaged }
  }
}

/// The number of requests since the tracker was created.
struct RequestCounts {
  /// Requests that ended, with an answer or without.
  private(set) var requests = 0
  /// Failed requests that were, or will be, sent again.
  private(set) var retries = 0

  mutating func sent() { requests += 1 }

  mutating func failed() { retries += 1 }
}
