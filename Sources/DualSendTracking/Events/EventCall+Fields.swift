extension EventCall {
  /// The fields of an event, for call sites that use key paths.
  ///
  /// ```swift
  /// logger.log([\.eventName: "home.view", \.parameters: ["item_id": 42]])
  /// ```
  public struct Fields: Sendable {
    /// A dictionary of fields by key path.
    public typealias Dictionary = [any PartialKeyPath<EventCall.Fields> & Sendable: any Sendable]

    /// The event's name.
    public var eventName: String
    /// The event's parameters.
    public var parameters: [String: any Sendable]
    /// When it happened, in milliseconds since 1970-01-01T00:00:00Z; now by default.
    public var eventTime: Int64?

    /// Reads a dictionary; `nil` if the name is missing or a value has the wrong type.
    init?(_ fields: Dictionary) {
      guard let name = fields[\.eventName] as? String else { return nil }
      eventName = name
      parameters = [:]
      if let value = fields[\.parameters] {
        guard let parameters = value as? [String: any Sendable] else { return nil }
        self.parameters = parameters
      }
      if let value = fields[\.eventTime] {
        guard let time = value as? Int64 ?? (value as? Int).map(Int64.init) else { return nil }
        eventTime = time
      }
    }
  }
}
