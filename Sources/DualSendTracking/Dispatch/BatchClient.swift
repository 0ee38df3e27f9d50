import DualSendCore

/// Sends batches to a collector or hands them to a receiver, and reports the result for their events.
protocol BatchClient: Sendable {
  /// `collector` or `receiver`, used in the reasons of dead letters.
  var recipient: String { get }
  /// Turns a batch into requests: encodes, splits and compresses it. Slow, so not called on the dispatcher.
  func prepared(_ batch: [TrackingData]) -> [PreparedRequest]
}

/// A request that is ready to be sent.
struct PreparedRequest: Sendable {
  /// The events that the response decides about, including those that the format refused.
  let events: [TrackingData]
  /// The events that the format refused, with the reasons.
  let refused: [EventID: String]
  /// Sends it; `nil` if the format refused every event.
  let send: (@Sendable () async -> WireAnswer)?
}

extension PreparedRequest {
  /// The requests of a batch whose bodies are needed.
  ///
  /// Events that cannot be decompressed become dead letters. Without the memory for it, the batch waits.
  static func of(
    readable batch: [TrackingData], _ requests: ([TrackingData]) -> [PreparedRequest]
  ) -> [PreparedRequest] {
    var (readable, unreadable): ([TrackingData], [TrackingData]) = ([], [])
    readable.reserveCapacity(batch.count)
    for event in batch {
      do throws(Zlib.Failure) {
        try event.checkReadable()
        readable.append(event)
      } catch {
        guard error != .outOfMemory else {
          return [PreparedRequest(events: batch, refused: [:]) { .retry(.reported("out of memory")) }]
        }
        unreadable.append(event)
      }
    }
    guard !unreadable.isEmpty else { return requests(batch) }
    let refused = Dictionary(unreadable.map { ($0.id, DeadLetter.damaged) }) { first, _ in first }
    return [PreparedRequest(events: unreadable, refused: refused, send: nil)]
      + (readable.isEmpty ? [] : requests(readable))
  }
}

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

  /// Waits for the preparation, then sends the first request, if it still may be sent.
  func opened(
    if maySend: @Sendable () -> Bool
  ) async -> (requests: [PreparedRequest], firstAnswer: WireAnswer?) {
    let requests = await prepared.value
    return (requests, maySend() ? await requests.first?.send?() : nil)
  }
}
