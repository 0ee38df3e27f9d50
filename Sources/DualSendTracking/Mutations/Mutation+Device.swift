import DualSendCore

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
    var fixed = DeviceFacts.fixed()
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
