/// An event: made by the functions of a namespace alone.
struct Event {
  let name: String
  let properties: [String: Any]

  init(_ name: String, _ properties: [String: Any] = [:]) {
    self.name = name
    self.properties = properties
  }
}

/// The one tracker.
final class Tracker {
  static let main = Tracker()

  func track(_ event: Event) {
    Output.write(name: event.name, parameters: event.properties)
  }

  func trackAll(_ events: [Event]) {
    events.forEach(track)
  }
}
