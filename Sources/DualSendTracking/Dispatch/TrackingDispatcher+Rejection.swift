import DualSendCore

/// Events that stand alone and are refused, and events that are damaged.
extension TrackingDispatcher {
  /// How the reason of a dead letter begins that a refusal of one event alone made.
  private static let rejectionReasons = [
    "too large for the collector", "rejected by the collector", "rejected by the receiver", "refused by the format",
  ]

  func oversize(_ reason: String) -> String { "too large for the \(client.recipient) (\(reason))" }
  func rejection(_ reason: String) -> String { "rejected by the \(client.recipient) (\(reason))" }

  /// Why the format refused events of a request.
  func refusals(of request: PreparedRequest) -> [EventID: String] {
    request.refused.mapValues { "refused by the format: \($0)" }
  }

  /// Decides about events that the format refused, where none is left to send that could tell events from a format that
  /// does not fit.
  ///
  /// - Returns: whether the next may follow at once.
  func refused(_ request: PreparedRequest, of batch: ReadyBatch) -> Bool {
    let reasons = refusals(of: request)
    return request.events.allSatisfy { event in
      reasons[event.id].map { rejected(event, of: batch, because: $0) } ?? true
    }
  }

  /// Decides about a single event that was refused.
  ///
  /// - Returns: whether the next may follow at once.
  func rejected(_ event: TrackingData, of batch: ReadyBatch, because reason: String) -> Bool {
    switch streak.refused(event.sequence) {
    case .deadLetter: return resolve([event], of: batch, rejected: [event.id: reason])
    case .pause(let putBack):
      if putBack > 0 { putBackRejected(putBack) }
      return pause(.everythingRejected(reason))
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
        ids.contains(letter.event.id) && letter.canBeSent
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
