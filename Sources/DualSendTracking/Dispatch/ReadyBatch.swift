/// A batch of events from the store, prepared off the dispatcher.
struct ReadyBatch: Sendable {
  /// The store of the events. If it is replaced before the response, the response does not apply to the new store's
  /// events.
  let store: any TrackingDataStore
  let events: [TrackingData]
  let sequences: ClosedRange<Int64>
  private let prepared: Task<[PreparedRequest], Never>

  /// `nil` for no events.
  init?(_ events: [TrackingData], of store: any TrackingDataStore, for client: any BatchClient) {
    guard let first = events.first, let last = events.last else { return nil }
    self.store = store
    self.events = events
    sequences = first.sequence...last.sequence
    prepared = Task.detached(priority: .utility) { client.prepared(events) }
  }

  /// Waits for the preparation, then sends the first request.
  func opened() async -> (requests: [PreparedRequest], firstAnswer: WireAnswer?) {
    let requests = await prepared.value
    return (requests, await requests.first?.send?())
  }
}
