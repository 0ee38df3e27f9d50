/// What the shop's screens log to.
public protocol EventLogger: Sendable {
  /// - Parameter parameters: one dictionary an event.
  func logEvents(name: String, parameters: [[String: Any]])
}

extension EventLogger {
  public func logEvents(name: String, parameters: [String: Any]) {
    logEvents(name: name, parameters: [parameters])
  }
}
