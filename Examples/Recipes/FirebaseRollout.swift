import DualSend
import Foundation

/// The part of Firebase's `RemoteConfig` that a rollout needs.
///
/// In an app, a few lines make `RemoteConfig` conform: its `addOnConfigUpdateListener` calls `activate`, and that the
/// closure.
public protocol FirebaseConfig: Sendable {
  associatedtype Value: FirebaseConfigValue
  func configValue(forKey key: String) -> Value
  /// Calls the closure after each update that was activated.
  func onActivatedUpdate(_ listener: @escaping @Sendable () -> Void)
}

/// The part of Firebase's `RemoteConfigValue` that a rollout needs.
public protocol FirebaseConfigValue {
  var numberValue: NSNumber { get }
  var boolValue: Bool { get }
}

/// Follows two of Firebase's parameters: whether the old logger is on, and the new tracker's share in percent.
///
/// Give `rollout` to the `DualSendTracker`. Whatever Firebase says that makes no rollout, such as the 0 and the `false`
/// that stand for a parameter that is not there, leaves the last good one in force.
public struct FirebaseRollout<Config: FirebaseConfig>: Sendable {
  public let rollout = MutableRollout()
  private let config: Config

  public init(_ config: Config) {
    self.config = config
    apply()
    config.onActivatedUpdate { [self] in apply() }
  }

  private func apply() {
    let oldIsOn = config.configValue(forKey: "shouldSendLogToOldLogger").boolValue
    let newPercent = config.configValue(forKey: "shouldSendLogToNewTracker").numberValue.doubleValue
    guard let newShare = RolloutPercentage(percent: newPercent) else { return }
    try? rollout.set(
      shouldSendLogToOldLogger: oldIsOn ? .all : .none, shouldSendLogToNewTracker: newShare, salt: "shop-2025")
  }
}
