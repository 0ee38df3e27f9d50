/// An answered part of a batch: what the store has to delete, and as what to count it.
struct Resolution: Sendable {
  var delivered: [TrackingData] = []
  var deadLettered: [DeadLetter] = []
}

extension TrackingDataStore {
  func record(_ resolution: Resolution) throws(TrackingStoreError) {
    try resolve(delivered: resolution.delivered, deadLettered: resolution.deadLettered)
  }
}
