import DualSendCore

/// Events that stand alone and are refused, and events that are damaged.
extension TrackingDispatcher {
  /// How the reason of a dead letter begins that a single refusal made.
  private static let rejectionReasons = ["too large for the collector", "rejected by the collector"]

  /// Decides about a single event that was refused.
  ///
  /// - Returns: whether the next may follow at once.
  func rejected(_ part: ArraySlice<TrackingData>, of batch: ReadyBatch, status: Int) -> Bool {
    let event = part[part.startIndex]
    switch streak.refused(event.sequence) {
    case .deadLetter:
      let reason = Self.rejectionReasons[status == 413 ? 0 : 1] + " (\(status))"
      return resolve(part, of: batch, rejected: [event.id: reason])
    case .pause(let putBack):
      if putBack > 0 { putBackRejected(putBack) }
      return pause(.everythingRejected(status: status))
    }
  }

  /// Puts the newest dead letters of single refusals back behind the waiting events.
  private func putBackRejected(_ count: Int) {
    guard let store = hold.store else { return }
    do {
      let letters = try store.deadLetters().filter { letter in
        Self.rejectionReasons.contains { letter.reason.hasPrefix($0) }
      }.suffix(count)
      let ids = Set(letters.map(\.event.id))
      let restored = try store.retryDeadLetters { letter in
        ids.contains(letter.event.id) && letter.reason != DeadLetter.damaged
      }
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
    return events.filter { !$0.isDamaged }
  }
}
