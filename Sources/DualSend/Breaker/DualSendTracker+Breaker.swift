public import DualSendRollout
public import Foundation

extension DualSendTracker {
  /// Settings of the breaker: the device keeps the new side off by itself when the new side does harm.
  ///
  /// ```swift
  /// let logger = DualSendTracker(oldLogger: oldLogger, collector: collector, rollout: rolloutURL) { $0.breaker = .on }
  /// ```
  ///
  /// While the breaker is open, the old logger gets every event that the rollout gives to the new side, and what the
  /// tracker has stored waits on disk. The breaker closes when the app has another version or the rollout another
  /// revision. The article The Breaker has the details.
  public struct Breaker: Sendable {
    /// The defaults.
    public static let on = Breaker()

    /// How many launches in a row that end early open the breaker.
    public var earlyEnds = 3
    /// How long a launch must last so that it does not count as one that ended early.
    public var healthyAfter = Duration.seconds(10)
    /// How long the store may fail without a break; `nil` for any time.
    public var storeFailure: Duration? = .seconds(60)
    /// How many events the collector may refuse for good with one app version and one revision; `nil` for any number.
    public var deadLetters: Int? = 100
    /// What must change for another app version; by default the version and the build in the app's bundle.
    public var appVersion: String?
    /// A folder of the breaker's own; by default one in the app's support folder. Processes with different launches, such
    /// as an app and its extension, need different folders.
    public var folder: URL?
    /// Called when the breaker opens, also if an earlier launch has opened it, and with `nil` when it closes; on any thread.
    public var observer: (@Sendable (BreakerOpening?) -> Void)?

    /// Creates settings with the defaults.
    public init() {}
  }

  /// Why this device keeps the new side off; `nil` while it does not, and without a breaker.
  public var breakerOpening: BreakerOpening? { breaker?.opening }

  /// Closes the breaker by hand, such as from a debug menu. Early ends are counted from 0 again.
  public func closeBreaker() {
    breaker?.close()
  }
}

extension DualSendTracker.Breaker {
  /// The version and the build of the running app, such as `25.4.10 (1234)`; empty for a program without a bundle.
  static var bundleVersion: String {
    let info = Bundle.main.infoDictionary ?? [:]
    let version = info["CFBundleShortVersionString"] as? String ?? ""
    return (info["CFBundleVersion"] as? String).map { "\(version) (\($0))" } ?? version
  }
}
