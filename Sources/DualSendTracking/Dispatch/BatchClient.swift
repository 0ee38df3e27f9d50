import DualSendCore

/// Sends batches to a collector or hands them to a receiver, and reports the result for their events.
protocol BatchClient: Sendable {
  /// The state of its requests.
  var progress: RequestProgress { get }
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
  /// The progress of the client that made the request. The request is discarded if that client has been replaced.
  let progress: RequestProgress
  /// Sends it; `nil` if the format refused every event.
  let send: (@Sendable () async -> WireAnswer)?
}
