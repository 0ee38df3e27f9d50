/// Stands for the new tracker, which `finish` makes calls of.
public struct NewTracker {
  /// Sends one event.
  public func sendLog(name: String, payload: [String: Any] = [:]) {
    Output.write(name: name, parameters: payload)
  }

  /// Sends an event for each payload.
  public func sendLogs(name: String, payloads: [[String: Any]]) {
    for payload in payloads { sendLog(name: name, payload: payload) }
  }
}

/// Where an app finds the new tracker.
public enum Telemetry {
  /// The one tracker.
  public static let tracker = NewTracker()
}
