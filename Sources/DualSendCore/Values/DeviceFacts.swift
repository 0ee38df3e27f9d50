package import Foundation

/// Facts about the device and the app.
package enum DeviceFacts {
  /// The facts that stay the same while the process runs.
  ///
  /// - Parameter bundle: the app's bundle, which holds its version.
  package static func fixed(bundle: Bundle = .main) -> [String: EventValue] {
    let version = ProcessInfo.processInfo.operatingSystemVersion
    var facts: [String: EventValue] = [
      "os_name": .string(osName),
      "os_version": .string("\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"),
    ]
    if let model { facts["device_model"] = .string(model) }
    if let version = appVersion(of: bundle) { facts["app_version"] = .string(version) }
    if let build = bundle.infoDictionary?["CFBundleVersion"] as? String { facts["app_build"] = .string(build) }
    return facts
  }

  /// The app's version from its bundle, such as `25.4.10`; `nil` if the bundle has none.
  package static func appVersion(of bundle: Bundle) -> String? {
    bundle.infoDictionary?["CFBundleShortVersionString"] as? String
  }

  /// The facts that the user can change at any time.
  package static var changing: [String: EventValue] {
    var facts: [String: EventValue] = ["locale": .string(Locale.current.identifier)]
    #if os(iOS) || os(macOS) || os(tvOS) || os(watchOS) || os(visionOS)
      facts["low_power_mode"] = .bool(ProcessInfo.processInfo.isLowPowerModeEnabled)
    #endif
    return facts
  }

  /// `iOS`, `macOS`, `tvOS`, `watchOS`, `visionOS` or `Linux`.
  package static var osName: String {
    #if os(iOS)
      "iOS"
    #elseif os(macOS)
      "macOS"
    #elseif os(tvOS)
      "tvOS"
    #elseif os(watchOS)
      "watchOS"
    #elseif os(visionOS)
      "visionOS"
    #else
      "Linux"
    #endif
  }

  /// The hardware's name, such as `iPhone16,2` or `x86_64`.
  private static var model: String? {
    #if targetEnvironment(simulator)
      ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"]
    #else
      machine
    #endif
  }

  private static var machine: String? {
    var system = utsname()
    guard uname(&system) == 0 else { return nil }
    return withUnsafeBytes(of: &system.machine) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
