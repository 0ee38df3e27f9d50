/// A test double: what it hears, it keeps.
final class RecordingTracking: EventTracking {
  private(set) var events: [(name: String, parameters: [String: Any]?)] = []

  func log(_ name: String, parameters: [String: Any]?) {
    events.append((name, parameters))
  }

  func setUser(_ id: String?) {}
}

/// Fails if anything is logged.
struct SilentTracking: EventTracking {
  func log(_ name: String, parameters: [String: Any]?) { fatalError("logged \(name)") }
  func setUser(_ id: String?) {}
}
