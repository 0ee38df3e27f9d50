/// Events read from the store, made ready to be sent off the dispatcher.
struct ReadyBatch: Sendable {
  /// Where the events wait. If it is damaged and replaced before the answer comes, the answer says nothing about the
  /// new store's events.
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

  /// Waits until it is ready, and sends its first request.
  func opened() async -> (requests: [PreparedRequest], firstAnswer: WireAnswer?) {
    let requests = await prepared.value
    return (requests, await requests.first?.send?())
  }
}
