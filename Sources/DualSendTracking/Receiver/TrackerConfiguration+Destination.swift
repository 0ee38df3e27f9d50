extension TrackerConfiguration {
  /// The destination of a tracker's batches.
  public enum Destination: Sendable {
    /// To a collector, over HTTP.
    case collector(TrackingEndpoint)
    /// To a receiver in this process, with a timeout for each batch.
    case receiver(any EventReceiver, timeout: Duration = .seconds(30))
  }

  func client(for destination: Destination) -> any BatchClient {
    switch destination {
    case .collector(let endpoint): TrackingNetworkClient(endpoint: endpoint, transport: transport, time: time)
    case .receiver(let receiver, let timeout): ReceiverClient(receiver: receiver, timeout: timeout, time: time)
    }
  }
}
