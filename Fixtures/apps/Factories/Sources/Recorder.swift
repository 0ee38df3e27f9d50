/// What is recorded.
protocol Event {
  var name: String { get }
  var payload: [String: Any] { get }
}

/// Records events of any type.
struct Recorder {
  func track<T: Event>(_ event: T) { Output.write(name: event.name, parameters: event.payload) }
}
