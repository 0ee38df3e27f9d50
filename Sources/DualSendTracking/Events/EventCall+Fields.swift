extension EventCall {
  /// The fields of an event, for call sites that name them by key path.
  ///
  /// ```swift
  /// logger.log([\.eventName: "home.view", \.parameters: ["item_id": 42]])
  /// ```
  public struct Fields: Sendable {
    /// A dictionary as such call sites write it.
    public typealias Dictionary = [any PartialKeyPath<EventCall.Fields> & Sendable: any Sendable]

    /// The event's name.
    public var eventName: String
    /// The event's parameters.
    public var parameters: [String: any Sendable]
    /// When it happened, in milliseconds since 1970-01-01T00:00:00Z; by default now.
    public var eventTime: Int64?

    /// Reads a dictionary; `nil` without a name, or with a value of another type than its field's.
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
