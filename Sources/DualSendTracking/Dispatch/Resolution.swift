import DualSendCore

/// An answered part of a batch: what the store has to delete, and as what to count it.
struct Resolution: Sendable {
  var delivered: [TrackingData] = []
  var deadLettered: [DeadLetter] = []
}

extension Resolution {
  /// - Parameter rejected: the events that will never be taken, and why.
  init(of part: [TrackingData], rejected: [EventID: String]) {
    // Nearly always: then no event need be looked up.
    guard !rejected.isEmpty else {
      self.init(delivered: part)
      return
    }
    self.init(
      delivered: part.filter { rejected[$0.id] == nil },
      deadLettered: part.compactMap { event in rejected[event.id].map { DeadLetter(event: event, reason: $0) } })
  }
}

extension TrackingDataStore {
  func record(_ resolution: Resolution) throws(TrackingStoreError) {
    try resolve(delivered: resolution.delivered, deadLettered: resolution.deadLettered)
  }
}
