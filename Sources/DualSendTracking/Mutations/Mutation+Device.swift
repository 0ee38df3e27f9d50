import DualSendCore
import Foundation

extension Mutation {
  /// Adds what is known of the device and the app: `os_name`, `os_version`, `device_model`, `locale`, `app_version`,
  /// `app_build`, and on Apple platforms `low_power_mode`; what is not known is left out. A value that the event has
  /// already stays.
  ///
  /// Read once, when the mutation is made, but for the locale and Low Power Mode, which change.
  ///
  /// - Parameters:
  ///   - prefix: stands before each key.
  ///   - screen: the size in points, for `screen_width` and `screen_height`: an app knows it from its scene, on the main
  ///     actor; there is none to ask here.
  ///   - scope: the sinks whose events have it.
  public static func device(
    prefix: String = "", screen: (width: Double, height: Double)? = nil, for scope: Sink.Scope = .all
  ) -> Mutation {
    var fixed = DeviceFacts.fixed
    if let screen {
      fixed["screen_width"] = .double(screen.width)
      fixed["screen_height"] = .double(screen.height)
    }
    return Mutation("device", for: scope) { [fixed] event in
      for (key, value) in fixed.merging(DeviceFacts.changing, uniquingKeysWith: { $1 }) {
        let key = prefix + key
        if event.parameters[key] == nil { event.parameters[key] = value }
      }
    }
  }
}

/// What a process can learn of the machine and the app it runs in.
enum DeviceFacts {
  /// What stays while the process runs.
  static var fixed: [String: EventValue] {
    let version = ProcessInfo.processInfo.operatingSystemVersion
    var facts: [String: EventValue] = [
      "os_name": .string(osName),
      "os_version": .string("\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"),
    ]
    if let model { facts["device_model"] = .string(model) }
    let app = Bundle.main.infoDictionary
    if let version = app?["CFBundleShortVersionString"] as? String { facts["app_version"] = .string(version) }
    if let build = app?["CFBundleVersion"] as? String { facts["app_build"] = .string(build) }
    return facts
  }

  /// What the user may change at any time.
  static var changing: [String: EventValue] {
    var facts: [String: EventValue] = ["locale": .string(Locale.current.identifier)]
    #if os(iOS) || os(macOS) || os(tvOS) || os(watchOS) || os(visionOS)
      facts["low_power_mode"] = .bool(ProcessInfo.processInfo.isLowPowerModeEnabled)
    #endif
    return facts
  }

  private static var osName: String {
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
