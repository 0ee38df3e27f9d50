import DualSend

/// The part of OpenFeature's `Client` that a rollout needs.
public protocol OpenFeatureClient: Sendable {
  func getDoubleValue(key: String, defaultValue: Double) -> Double
}

/// The provider's events about changed values; in an app, derived from OpenFeature's `ProviderEvent`.
public enum OpenFeatureEvent: Sendable {
  case ready
  case configurationChanged
}

/// Follows two of OpenFeature's flags, the shares of both sinks in percent.
///
/// Pass `rollout` to the `DualSendTracker`, and run `follow` while the app runs. Invalid values leave the last valid
/// rollout in force.
public struct OpenFeatureRollout<Client: OpenFeatureClient>: Sendable {
  public let rollout = MutableRollout()
  private let client: Client

  public init(_ client: Client) {
    self.client = client
  }

  /// Reads the flags now and after each event.
  public func follow(_ events: AsyncStream<OpenFeatureEvent>) async {
    apply()
    for await _ in events { apply() }
  }

  /// Without a provider, uses the defaults: the old logger alone.
  func apply() {
    let old = client.getDoubleValue(key: "shouldSendLogToOldLogger", defaultValue: 100)
    let new = client.getDoubleValue(key: "shouldSendLogToNewTracker", defaultValue: 0)
    guard let oldShare = RolloutPercentage(percent: old), let newShare = RolloutPercentage(percent: new) else { return }
    try? rollout.set(shouldSendLogToOldLogger: oldShare, shouldSendLogToNewTracker: newShare, salt: "shop-2025")
  }
}
