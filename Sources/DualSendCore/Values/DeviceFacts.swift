public import Foundation

/// What a process can learn of the machine and the app it runs in.
public enum DeviceFacts {
  /// What stays while the process runs.
  ///
  /// - Parameter bundle: the app's bundle, which says its version.
  public static func fixed(bundle: Bundle = .main) -> [String: EventValue] {
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

  /// The app's version as its bundle has it, such as `25.4.10`; `nil` for a program without one.
  public static func appVersion(of bundle: Bundle) -> String? {
    bundle.infoDictionary?["CFBundleShortVersionString"] as? String
  }

  /// What the user may change at any time.
  public static var changing: [String: EventValue] {
    var facts: [String: EventValue] = ["locale": .string(Locale.current.identifier)]
    #if os(iOS) || os(macOS) || os(tvOS) || os(watchOS) || os(visionOS)
      facts["low_power_mode"] = .bool(ProcessInfo.processInfo.isLowPowerModeEnabled)
    #endif
    return facts
  }

  /// `iOS`, `macOS`, `tvOS`, `watchOS`, `visionOS` or `Linux`.
  public static var osName: String {
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
