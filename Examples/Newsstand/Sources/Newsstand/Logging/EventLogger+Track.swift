/// Convenience functions for logging.
extension EventLogger {
  /// Logs one event.
  func track(_ name: String, _ parameters: [String: Any] = [:]) {
    logEvents(name: name, parameters: [parameters])
  }

  /// Logs that a screen was seen.
  func trackView(_ screen: String, _ parameters: [String: Any] = [:]) {
    track(screen + ".view", parameters)
  }

  /// Logs a tap on a screen.
  func trackTap(_ name: String, on screen: String, at position: Int = 0) {
    track(name, ["screen": screen, "pos": String(position)])
  }
}
