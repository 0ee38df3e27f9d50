import DualSendCore

/// Gives both streams of an event the same id, if asked.
struct EventStamp: Sendable {
  let key: String?
  private let generator = Locked(EventIDGenerator())

  init(key: String?) {
    self.key = key
  }

  /// An id made on the caller's thread, for several sinks that know the event by it.
  func newID(at milliseconds: Int64) -> EventID {
    generator.withLock { EventID(milliseconds: milliseconds, using: &$0) }
  }

  func stamped(_ parameters: [String: Any], _ id: EventID?) -> [String: Any] {
    guard let key, let id else { return parameters }
    var parameters = parameters
    parameters[key] = id.description
    return parameters
  }
}
