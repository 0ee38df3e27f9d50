/// What happened.
public struct Event {
  /// Its name.
  public let name: String
  /// What goes with it.
  public var parameters: [String: Any]

  /// Makes an event; `nil` is no parameters.
  public init(name: String, parameters: [String: Any]? = nil, extra: [String: Any]? = nil) {
    self.name = name
    self.parameters = (parameters ?? [:]).merging(extra ?? [:]) { first, _ in first }
  }
}
