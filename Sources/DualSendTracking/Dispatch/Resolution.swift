import DualSendCore

/// The result for a part of a batch: the events to delete, and how to count them.
struct Resolution: Sendable {
  var delivered: [TrackingData] = []
  var deadLettered: [DeadLetter] = []
}

extension Resolution {
  /// - Parameter rejected: the refused events and the reasons.
  init(of part: [TrackingData], rejected: [EventID: String]) {
    // The common case, without lookups.
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
