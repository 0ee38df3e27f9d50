/// The protocol that the shop's screens log to.
public protocol EventLogger: Sendable {
  /// - Parameter parameters: one dictionary per event.
  func logEvents(name: String, parameters: [[String: Any]])
}

extension EventLogger {
  public func logEvents(name: String, parameters: [String: Any]) {
    logEvents(name: name, parameters: [parameters])
  }
}
