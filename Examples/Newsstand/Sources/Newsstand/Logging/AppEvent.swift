/// An event with a type of its own.
protocol AppEvent {
  var name: String { get }
  var parameters: [String: Any] { get }
}

extension EventLogger {
  /// Sends an event that knows its name and parameters.
  func send(_ event: some AppEvent) {
    logEvents(name: event.name, parameters: [event.parameters])
  }
}
