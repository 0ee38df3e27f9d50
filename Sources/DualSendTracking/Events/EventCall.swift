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
  /// The call site's parameters as an old logger gets them; `nil` if they follow from ``values``.
  private var original: [String: Any]?
  /// `nil` until the original parameters are converted.
  private var sendable: Values?
  /// The typed event that was logged; `nil` for a name with a dictionary.
  public let event: (any TypedEvent)?
  /// The event's id, if it is already known.
  package var id: EventID?
  /// The decision for the event; `nil` if events carry none.
  package var decision: CarriedDecision?
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
    sendable = values
    self.event = event
    self.id = id
    self.time = time
    self.scope = scope
    self.delivery = delivery
  }

  /// An event whose parameters are not sendable: they are converted on the caller's thread, when a sink needs them.
  package init(name: String, original: [String: Any]) {
    self.name = name
    self.original = original
    (event, id, time, scope, delivery) = (nil, nil, nil, .all, .buffered)
  }

  /// The parameters, without values that JSON cannot hold.
  public var parameters: [String: EventValue] { values.converted.values }
}

// MARK: - Sendable form

extension EventCall {
  /// An event with its options that may cross threads, for a logger of the app's own that logs on another one.
  public struct Captured: Sendable {
    fileprivate let name: String
    fileprivate let values: Values
    fileprivate let event: (any TypedEvent)?
    fileprivate let id: EventID?
    fileprivate let time: Int64?
    fileprivate let scope: Sink.Scope
    fileprivate let delivery: Delivery
  }

  /// The event in a form that may cross threads, with the time of now unless it has its own. Converts parameters that are not
  /// sendable on this thread, as JSON holds them.
  public var captured: Captured {
    let now = TimeSource.system.wallMilliseconds()
    return Captured(
      name: name, values: values, event: event, id: id, time: time ?? now, scope: scope, delivery: delivery)
  }

  /// An event that was captured on another thread.
  public init(_ captured: Captured) {
    self.init(
      name: captured.name, values: captured.values, event: captured.event, id: captured.id, time: captured.time,
      scope: captured.scope, delivery: captured.delivery)
  }
}

extension EventCall {
  /// The two forms of an event.
  package enum Form: Sendable, Hashable {
    /// The call site's name and parameters.
    case original
    /// The remapped name and parameters.
    case new
  }

  /// The parameters of an event until it is encoded.
  package enum Values: Sendable {
    case sendable([String: any Sendable])
    case values([String: EventValue])
    /// Converted on the caller's thread, with the issues of the values that were left out.
    case converted([String: EventValue], issues: [EventValue.ConversionIssue])

    /// The converted values, and the issues of those left out.
    package var converted: (values: [String: EventValue], leftOut: [EventValue.ConversionIssue]) {
      var converter = EventValueConverter()
      switch self {
      case .sendable(let values): return (converter.convert(values), converter.issues)
      case .values(let values): return (converter.convert(values), converter.issues)
      case .converted(let values, let issues): return (values, issues)
      }
    }

    /// The values for an old logger. ``EventValue``s become plain values, because an old logger does not know that type.
    fileprivate var plain: [String: Any] {
      switch self {
      case .sendable(let parameters) where !parameters.values.contains(where: Self.isEventValue): parameters.erased
      case .sendable(let parameters): parameters.mapValues { ($0 as? EventValue)?.plainValue ?? $0 }
      case .values(let parameters), .converted(let parameters, _): parameters.mapValues(\.plainValue)
      }
    }

    /// Compares types: a cast takes ten times as long, and very few values match.
    private static func isEventValue(_ value: any Sendable) -> Bool {
      let type = type(of: value as Any)
      return type == EventValue.self || type == EventValue?.self
    }
  }

  /// The parameters for a tracker. Converts values that are not sendable on this thread.
  package var values: Values {
    if let sendable { return sendable }
    var converter = EventValueConverter()
    return .converted(converter.convert(original ?? [:]), issues: converter.issues)
  }

  /// The parameters for an old logger.
  package var plain: [String: Any] { original ?? values.plain }
}

extension EventCall {
  /// Converts values that are not sendable, once for all sinks.
  mutating func convert() {
    sendable = values
  }

  /// Applies mutations to the event.
  ///
  /// - Returns: `false` if a mutation dropped the event.
  mutating func mutate(by chain: MutationChain, id: EventID, time: Int64) -> Bool {
    let before = values.converted
    let seen = Mutation.Event(name: name, parameters: before.values, id: id, time: time, original: event)
    guard let after = chain.applied(to: seen) else { return false }
    var plain = plain
    var converter = EventValueConverter()
    let parameters = converter.convert(after.parameters)
    plain.patch(from: before.values, to: parameters)
    name = after.name
    sendable = .converted(parameters, issues: before.leftOut + converter.issues)
    original = plain
    return true
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
