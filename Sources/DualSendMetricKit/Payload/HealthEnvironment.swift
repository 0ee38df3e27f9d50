import DualSendCore

/// The device and the app that a payload or a diagnostic is about, as `metaData` and `diagnosticMetaData` have it.
public struct HealthEnvironment: Sendable {
  /// The app's version, `CFBundleShortVersionString`.
  public internal(set) var appVersion: String?
  /// The app's build, `CFBundleVersion`.
  public internal(set) var appBuild: String?
  /// The app's bundle identifier.
  public internal(set) var bundleIdentifier: String?
  /// Such as `iPhone OS 17.2 (21C62)`.
  public internal(set) var osVersion: String?
  /// Such as `iPhone15,2`.
  public internal(set) var deviceType: String?
  /// The region of the device's settings, such as `JP`.
  public internal(set) var regionFormat: String?
  /// Such as `arm64e`.
  public internal(set) var platformArchitecture: String?
  /// Whether the app came from TestFlight; `nil` if the payload does not say.
  public internal(set) var isTestFlightApp: Bool?
  /// Whether Low Power Mode was on; `nil` if the payload does not say.
  public internal(set) var isLowPowerModeEnabled: Bool?
  /// The process that a diagnostic is about.
  public internal(set) var processID: Int64?
}

extension PayloadReader {
  /// Takes a member of the metadata; `false` for one that is none.
  mutating func read(
    _ member: JSONNode.Member, at path: EventPath, into environment: inout HealthEnvironment
  ) -> Bool {
    let place = path.appending(member.key)
    switch member.key {
    case "appVersion": environment.appVersion = text(member.value, at: place)
    case "appBuildVersion": environment.appBuild = text(member.value, at: place)
    case "bundleIdentifier": environment.bundleIdentifier = text(member.value, at: place)
    case "osVersion": environment.osVersion = text(member.value, at: place)
    case "deviceType": environment.deviceType = text(member.value, at: place)
    case "regionFormat": environment.regionFormat = text(member.value, at: place)
    case "platformArchitecture": environment.platformArchitecture = text(member.value, at: place)
    case "isTestFlightApp": environment.isTestFlightApp = flag(member.value, at: place)
    case "lowPowerModeEnabled": environment.isLowPowerModeEnabled = flag(member.value, at: place)
    case "pid": environment.processID = document.integer(member.value, at: place)
    default: return false
    }
    return true
  }
}
