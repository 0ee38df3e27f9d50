import DualSendCore

/// Takes batches out of the process, to a collector or a receiver, and says what each answer means for the batch.
protocol BatchClient: Sendable {
  /// How far its batches have come.
  var progress: RequestProgress { get }
  /// Joins and compresses, or whatever else a batch needs before it goes; takes a while, so not on the dispatcher.
  func prepared(_ batch: [TrackingData]) -> PreparedBatch
}

/// A batch that is ready: the call sends it.
typealias PreparedBatch = @Sendable () async -> TrackingAnswer
