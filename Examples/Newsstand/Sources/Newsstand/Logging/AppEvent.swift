/// A typed event.
protocol AppEvent {
  var name: String { get }
  var parameters: [String: Any] { get }
}

extension EventLogger {
  /// Sends a typed event.
  func send(_ event: some AppEvent) {
    logEvents(name: event.name, parameters: [event.parameters])
  }
}
