import DualSendCore

/// Takes batches out of the process, to a collector or a receiver, and says what becomes of their events.
protocol BatchClient: Sendable {
  /// How far its requests have come.
  var progress: RequestProgress { get }
  /// `collector` or `receiver`, for the reasons of dead letters.
  var recipient: String { get }
  /// Encodes, cuts and compresses, or whatever else a batch needs before it goes; takes a while, so not on the dispatcher.
  func prepared(_ batch: [TrackingData]) -> [PreparedRequest]
}

/// Events that go out together.
struct PreparedRequest: Sendable {
  /// The events that are answered for when this is over: those that it holds, and those that it refused.
  let events: [TrackingData]
  /// The events that the format refused, and why.
  let refused: [EventID: String]
  /// The progress of the client that made it: it is not sent if another client has taken that one's place.
  let progress: RequestProgress
  /// Sends it; `nil` if the format refused every event.
  let send: (@Sendable () async -> WireAnswer)?
}
