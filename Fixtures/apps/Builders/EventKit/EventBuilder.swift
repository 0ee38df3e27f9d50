/// Makes an event step by step.
public final class EventBuilder {
  private let name: String
  private var parameters: [String: Any] = [:]

  /// Starts an event.
  public init(_ name: String) { self.name = name }

  /// Adds a parameter; `nil` adds none.
  public func with(_ key: String, _ value: Any?) -> EventBuilder {
    if let value { parameters[key] = value }
    return self
  }

  /// The event.
  public func build() -> Event { Event(name: name, parameters: parameters) }
}
