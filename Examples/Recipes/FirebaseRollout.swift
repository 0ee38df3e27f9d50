import DualSend
import Foundation

/// The part of Firebase's `RemoteConfig` that a rollout needs.
///
/// In an app, conform `RemoteConfig`: `addOnConfigUpdateListener` calls `activate`, which calls the closure.
public protocol FirebaseConfig: Sendable {
  associatedtype Value: FirebaseConfigValue
  func configValue(forKey key: String) -> Value
  /// Calls the closure after each activated update.
  func onActivatedUpdate(_ listener: @escaping @Sendable () -> Void)
}

/// The part of Firebase's `RemoteConfigValue` that a rollout needs.
///
/// Does not use `numberValue` and `boolValue`: they convert every text (`true` to 0, `5` to `true`), so they cannot
/// distinguish a flag, a percentage and a missing parameter.
public protocol FirebaseConfigValue {
  var stringValue: String { get }
}

/// Follows two of Firebase's parameters, `shouldSendLogToOldLogger` and `shouldSendLogToNewTracker`.
///
/// Each is `true`, `false` or a percentage from 0 to 100. Pass `rollout` to the `DualSendTracker`. The last valid rollout
/// stays in force for any other text, such as the empty one of a missing parameter, and for two flags that would leave
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
