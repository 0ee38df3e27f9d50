import DualSendCore

/// Refused events and damaged events.
extension TrackingDispatcher {
  func oversize(_ reason: String) -> String { "too large for the \(client.recipient) (\(reason))" }
  func rejection(_ reason: String) -> String { "rejected by the \(client.recipient) (\(reason))" }

  /// Why events of a request are not in it.
  func refusals(of request: PreparedRequest) -> [EventID: String] {
    request.refused.mapValues { $0 == DeadLetter.damaged ? $0 : "refused by the format: \($0)" }
  }

  /// Handles a batch of which no event was accepted, in order.
  ///
  /// - Parameters:
  ///   - reasons: the reason of each refusal. An event without one is left as it is.
  ///   - cause: the reason that a pause reports.
  ///   - isAnswer: whether a request was sent. If not, no pause is needed before the next event.
  /// - Returns: whether to continue without a pause.
  func rejected(
    _ events: [TrackingData], of batch: ReadyBatch, because reasons: [EventID: String], cause: String,
    isAnswer: Bool = true
  ) -> Bool {
    // The store was replaced, so the events are gone.
    guard batch.store === storeState.store else { return true }
    var letters: [TrackingData] = []
    for event in events where reasons[event.id] != nil {
      switch rejections.refused(event.sequence, byFormat: isAnswer ? nil : cause) {
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

  /// Puts the newest dead letters, made in this run, back to their places.
  private func putBackRejected(_ count: Int) {
    guard let store = storeState.store else { return }
    do {
      let letters = try store.deadLetters().filter(\.canBeSent).suffix(count)
      let restored = try store.putBackDeadLetters(count)
      queue.stored(restored, at: now)
      outcomes.stored(letters.map(\.event))
    } catch {
      storeFailed(error)
    }
  }

  /// Saves the count across a restart. Without it, the next launch would only take longer to detect the fault.
  func saveRejectionCount() {
    guard let count = rejections.unsavedCount, let store = storeState.store else { return }
    do {
      try store.setNote(ConsecutiveRejections.note, count == 0 ? nil : Int64(count))
      rejections.markSaved()
    } catch {
      storeFailed(error)
    }
  }

  /// Makes damaged events dead letters, and returns the others.
  func withoutDamaged(_ events: [TrackingData], of store: any TrackingDataStore) throws(TrackingStoreError)
    -> [TrackingData]
  {
    let letters = events.filter(\.isDamaged).map { DeadLetter(event: $0, reason: DeadLetter.damaged) }
    guard !letters.isEmpty else { return events }
    try store.resolve(delivered: [], deadLettered: letters)
    queue.answered(letters.count)
    for letter in letters { outcomes.emit(.deadLettered(letter.event.reference, reason: letter.reason)) }
    return events.filter { !$0.isDamaged }
  }
}
