public import DualSendCore

/// One event of a call site, with its options.
///
/// The forms of `log` of ``EventLogging`` make it; a logger of the app's own reads it.
public struct EventCall {
  /// When to deliver an event to sinks with a store.
  public enum Delivery: Sendable, Hashable {
    /// As each sink's `TrackerConfiguration.FlowControl` defines.
    case buffered
    /// As soon as it is stored, together with all pending events. A sink that fails retries later.
    case immediately
  }

  /// The event's name.
  public package(set) var name: String
  package var values: Values
  /// The typed event that was logged; `nil` for a name with a dictionary.
  public let event: (any TypedEvent)?
  /// The event's id, if it is already known.
  package var id: EventID?
  /// The decision for the event; `nil` if events are not stamped.
  package var decision: DecisionStamp?
  /// When it happened, in milliseconds since 1970-01-01T00:00:00Z; `nil` for now.
  public let time: Int64?
  /// The sinks that may receive it.
  public let scope: Sink.Scope
  /// When to deliver it.
  public let delivery: Delivery

  package init(
    name: String, values: Values, event: (any TypedEvent)? = nil, id: EventID? = nil, time: Int64? = nil,
    scope: Sink.Scope = .all, delivery: Delivery = .buffered
  ) {
    self.name = name
    self.values = values
    self.event = event
    self.id = id
    self.time = time
    self.scope = scope
    self.delivery = delivery
  }

  /// The parameters, without values that JSON cannot hold.
  public var parameters: [String: EventValue] { values.payload.converted.values }
}

extension EventCall {
  /// The two forms of an event.
  package enum Form: Sendable, Hashable {
    /// The call site's name and parameters.
    case original
    /// The remapped name and parameters.
    case new
  }

  /// The parameters of the call site.
  package enum Values {
    /// Not sendable: used only on the caller's thread.
    case plain([String: Any])
    case sendable([String: any Sendable])
    case values([String: EventValue])
    /// Already converted, with the issues of values left out and, if known, the original values for an old logger.
    case converted([String: EventValue], issues: [EventValue.ConversionIssue], plain: [String: Any]?)

    /// The payload for a tracker. Converts values that are not sendable on the caller's thread.
    package var payload: CapturedEvent.Payload {
      switch self {
      case .plain(let parameters):
        var converter = EventValueConverter()
        return .converted(converter.convert(parameters), issues: converter.issues)
      case .sendable(let parameters): return .sendable(parameters)
      case .values(let parameters): return .values(parameters)
      case .converted(let parameters, let issues, _): return .converted(parameters, issues: issues)
      }
    }

    /// The parameters for an old logger. ``EventValue``s become plain values, because an old logger does not know that
    /// type.
    package var plain: [String: Any] {
      switch self {
      case .plain(let parameters): parameters
      case .sendable(let parameters) where !parameters.values.contains(where: Self.isEventValue): parameters.erased
      case .sendable(let parameters): parameters.mapValues { ($0 as? EventValue)?.plainValue ?? $0 }
      case .values(let parameters): parameters.mapValues(\.plainValue)
      case .converted(let parameters, _, let plain): plain ?? parameters.mapValues(\.plainValue)
      }
    }

    /// Compares types: a cast takes ten times as long, and very few values match.
    private static func isEventValue(_ value: any Sendable) -> Bool {
      let type = type(of: value as Any)
      return type == EventValue.self || type == EventValue?.self
    }
  }
}

extension EventCall {
  /// Converts values that are not sendable, once for all sinks.
  mutating func convert() {
    guard case .plain(let plain) = values, case .converted(let converted, let issues) = values.payload else { return }
    values = .converted(converted, issues: issues, plain: plain)
  }

  /// Applies mutations to the event.
  ///
  /// - Returns: `false` if a mutation dropped the event.
  mutating func mutate(by chain: MutationChain, id: EventID, time: Int64) -> Bool {
    let before = values.payload.converted
    let original = Mutation.Event(name: name, parameters: before.values, id: id, time: time, original: event)
    guard let after = chain.applied(to: original) else { return false }
    var plain = values.plain
    var converter = EventValueConverter()
    let parameters = converter.convert(after.parameters)
    plain.patch(from: before.values, to: parameters)
    name = after.name
    values = .converted(parameters, issues: before.leftOut + converter.issues, plain: plain)
    return true
  }
}

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

extension [String: Any] {
  /// Applies the changes of a mutation, and keeps all other values as the original objects.
  fileprivate mutating func patch(from before: [String: EventValue], to after: [String: EventValue]) {
    for key in before.keys where after[key] == nil { self[key] = nil }
    for (key, value) in after where before[key] != value { self[key] = value.plainValue }
  }
}

extension [String: any Sendable] {
  /// The same dictionary with values of type `Any`.
  ///
  /// The two types are the same at run time, because `Sendable` is a marker protocol (SE-0302). `as` hashes every key
  /// again and builds a second table, which takes about 1 µs for 10 keys, as long as making the dictionary
  /// (`scripts/benchmark caller` measures it).
  fileprivate var erased: [String: Any] {
    unsafeBitCast(self, to: [String: Any].self)
  }
}
