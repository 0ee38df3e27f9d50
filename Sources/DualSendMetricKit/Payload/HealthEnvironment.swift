/// The device and the app that a payload or a diagnostic is about.
public struct HealthEnvironment: Sendable, Hashable {
  /// The app's version, `CFBundleShortVersionString`.
  public var appVersion: String?
  /// The app's build, `CFBundleVersion`.
  public var appBuild: String?
  /// Such as `iPhone OS 17.2 (21C62)`.
  public var osVersion: String?
  /// Such as `iPhone15,2`.
  public var deviceType: String?
  /// The region of the device's settings, such as `JP`.
  public var regionFormat: String?
  /// Such as `arm64e`.
  public var platformArchitecture: String?
  /// Whether the app came from TestFlight; `nil` before iOS 17.
  public var isTestFlightApp: Bool?
  /// Whether Low Power Mode was on; `nil` before iOS 17.
  public var isLowPowerModeEnabled: Bool?
  /// The process that a diagnostic is about; `nil` before iOS 17.
  public var processID: Int64?

  /// Creates an environment of which only the version is known.
  public init(appVersion: String? = nil) {
    self.appVersion = appVersion
  }
}
