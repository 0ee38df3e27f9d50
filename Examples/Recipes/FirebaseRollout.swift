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
///
/// Not `numberValue` and `boolValue`: they have an answer for every text, 0 for `true` and `true` for `5`, so they cannot
/// tell a flag from a percentage, or either from a parameter that does not exist.
public protocol FirebaseConfigValue {
  var stringValue: String { get }
}

/// Follows two of Firebase's parameters, `shouldSendLogToOldLogger` and `shouldSendLogToNewTracker`.
///
/// Each is `true`, `false` or a percentage from 0 to 100. Give `rollout` to the `DualSendTracker`. Any other text, such as
/// the empty one of a parameter that does not exist, leaves the last good rollout in force; so do two flags that leave
/// units without a sink.
public struct FirebaseRollout<Config: FirebaseConfig>: Sendable {
  public let rollout = MutableRollout()
  private let config: Config

  public init(_ config: Config) {
    self.config = config
    apply()
    config.onActivatedUpdate { [self] in apply() }
  }

  private func apply() {
    guard let oldShare = share("shouldSendLogToOldLogger"), let newShare = share("shouldSendLogToNewTracker") else {
      return
    }
    try? rollout.set(shouldSendLogToOldLogger: oldShare, shouldSendLogToNewTracker: newShare, salt: "shop-2025")
  }

  private func share(_ key: String) -> RolloutPercentage? {
    let text = config.configValue(forKey: key).stringValue.trimmingCharacters(in: .whitespacesAndNewlines)
    return switch text.lowercased() {
    case "true": .all
    case "false": RolloutPercentage.none
    default: Double(text).flatMap { RolloutPercentage(percent: $0) }
    }
  }
}
