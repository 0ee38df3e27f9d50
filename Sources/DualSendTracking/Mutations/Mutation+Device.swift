import DualSendCore

extension Mutation {
  /// Adds facts about the device and the app: `os_name`, `os_version`, `device_model`, `locale`, `app_version`,
  /// `app_build`, and on Apple platforms `low_power_mode`. Unknown facts are omitted. An existing value of the event is
  /// kept.
  ///
  /// Facts are read once, except for the locale and Low Power Mode.
  ///
  /// - Parameters:
  ///   - prefix: a prefix for each key.
  ///   - screen: the size in points, for `screen_width` and `screen_height`. The app reads it from its scene on the
  ///     main actor.
  ///   - scope: the sinks whose events get it.
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
