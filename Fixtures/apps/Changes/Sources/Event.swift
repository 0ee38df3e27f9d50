/// An event that is filled step by step: whoever has it changes the same one.
final class Event {
  let name: String
  var parameters: [String: Any]

  init(_ name: String, _ parameters: [String: Any] = [:]) {
    self.name = name
    self.parameters = parameters
  }

  func set(_ key: String, _ value: Any) {
    parameters[key] = value
  }
}

/// An event that is filled step by step, and copied when it is handed on.
struct Notice {
  enum Name: String {
    case gateOpened = "gate.opened"
    case gateClosed = "gate.closed"
    case lifeboat
  }

  let name: Name
  private(set) var parameters: [String: Any] = [:]

  init(_ name: Name) {
    self.name = name
  }

  mutating func set(_ key: String, _ value: Any?) {
    if let value { parameters[key] = value }
  }
}
