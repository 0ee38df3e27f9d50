/// What everything in the app logs to.
protocol EventLogger: Sendable {
  /// - Parameter parameters: one dictionary an event.
  func logEvents(name: String, parameters: [[String: Any]])
}
