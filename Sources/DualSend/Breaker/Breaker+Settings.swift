public import Foundation

extension DualSendTracker.Breaker {
  /// The settings of a breaker.
  public struct Settings: Sendable {
    /// The defaults.
    public static let on = Settings()

    /// How many early ends in a row open the breaker.
    public var earlyEnds = 3
    /// How long a launch must last so that it is not an early end.
    public var healthyAfter = Duration.seconds(10)
    /// How long the store may fail without a success in between; `nil` for no limit.
    public var storeFailure: Duration? = .seconds(60)
    /// How many events the collector may permanently refuse for one app version and one revision; `nil` for no limit.
    public var deadLetters: Int? = 100
    /// The app version, whose change closes the breaker. By default the version and the build of the app's bundle.
    public var appVersion: String?
    /// A folder for the breaker's files. By default in the app's support folder. Processes with separate launches, such
    /// as an app and its extension, need separate folders.
    public var folder: URL?
    /// Called with the opening when the breaker opens, and at each launch while it is open; with `nil` when it closes.
    /// On any thread.
    public var observer: (@Sendable (BreakerOpening?) -> Void)?

    /// Creates settings with the defaults.
    public init() {}
  }
}

extension DualSendTracker.Breaker.Settings {
  /// The version and build of the running app, such as `25.4.10 (1234)`; empty for a program without a bundle.
  var effectiveVersion: String {
    if let appVersion { return appVersion }
    let info = Bundle.main.infoDictionary ?? [:]
    let version = info["CFBundleShortVersionString"] as? String ?? ""
    return (info["CFBundleVersion"] as? String).map { "\(version) (\($0))" } ?? version
  }
}
