/// The protocol that the whole app logs to.
protocol EventLogger: Sendable {
  /// - Parameter parameters: one dictionary per event.
  func logEvents(name: String, parameters: [[String: Any]])
}
