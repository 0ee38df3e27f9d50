import DualSendCore

/// Events that are refused while none is taken, and events that are damaged.
extension TrackingDispatcher {
  func oversize(_ reason: String) -> String { "too large for the \(client.recipient) (\(reason))" }
  func rejection(_ reason: String) -> String { "rejected by the \(client.recipient) (\(reason))" }

  /// Why the format refused events of a request.
  func refusals(of request: PreparedRequest) -> [EventID: String] {
    request.refused.mapValues { "refused by the format: \($0)" }
  }

  /// Decides about events of which none was taken, in order.
  ///
  /// - Parameters:
  ///   - reasons: why each was refused. An event without a reason is left as it is.
  ///   - cause: what a pause reports.
  ///   - isAnswer: whether a request was made; if not, nothing is gained by a pause before the next event.
  /// - Returns: whether the next may follow at once.
  func rejected(
    _ events: [TrackingData], of batch: ReadyBatch, because reasons: [EventID: String], cause: String,
    isAnswer: Bool = true
  ) -> Bool {
    // The events of a store that was replaced are gone.
    guard batch.store === hold.store else { return true }
    var letters: [TrackingData] = []
    for event in events where reasons[event.id] != nil {
      switch streak.refused(event.sequence, byFormat: isAnswer ? nil : cause) {
      case .deadLetter: letters.append(event)
      case .keep(let putBack, let mayPause):
        let isRecorded = letters.isEmpty || resolve(letters, of: batch, rejected: reasons)
        letters = []
        if putBack > 0 { putBackRejected(putBack) }
        if mayPause { return pause(.everythingRejected(cause)) }
        if isAnswer || !isRecorded { return isRecorded }
      }
    }
    return letters.isEmpty || resolve(letters, of: batch, rejected: reasons)
  }

  /// Puts the newest dead letters, which the streak made, back to where they waited.
  private func putBackRejected(_ count: Int) {
    guard let store = hold.store else { return }
    do {
      let letters = try store.deadLetters().filter(\.canBeSent).suffix(count)
      let restored = try store.putBackDeadLetters(count)
      queue.stored(restored, at: now)
      outcomes.stored(letters.map(\.event))
    } catch {
      storeFailed(error)
    }
  }

  /// Keeps the streak across a restart; without it the next launch would only need longer to notice.
  func noteStreak() {
    guard let count = streak.countToNote, let store = hold.store else { return }
    do {
      try store.setNote(RejectionStreak.note, count == 0 ? nil : Int64(count))
      streak.wasNoted()
    } catch {
      storeFailed(error)
    }
  }

  /// Makes dead letters of the events that are not what was stored, and returns the others.
  func withoutDamaged(_ events: [TrackingData], of store: any TrackingDataStore) throws(TrackingStoreError)
    -> [TrackingData]
  {
    let letters = events.filter(\.isDamaged).map { DeadLetter(event: $0, reason: DeadLetter.damaged) }
    guard !letters.isEmpty else { return events }
    try store.resolve(delivered: [], deadLettered: letters)
    queue.answered(letters.count)
    for letter in letters { outcomes.emit(.deadLettered(letter.event.reference, reason: letter.reason)) }
    tellOfDeadLetters(letters.count, in: store)
    return events.filter { !$0.isDamaged }
  }

  /// Tells a breaker how many dead letters the ledger counts after these.
  func tellOfDeadLetters(_ count: Int, in store: any TrackingDataStore) {
    guard count > 0, let healthObserver = configuration.healthObserver, let ledger = try? store.ledger() else { return }
    healthObserver(.deadLettered(total: ledger.deadLettered))
  }
}
