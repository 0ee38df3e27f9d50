public import DualSendCore

/// One event as a call site hands it over, and what the call site asks for.
///
/// Call sites do not make one: the forms of `log` of ``EventLogging`` do. A logger of the app's own reads it.
public struct EventCall {
  /// When an event leaves for the sinks that have a store.
  public enum Delivery: Sendable, Hashable {
    /// When each sink's `TrackerConfiguration.FlowControl` says so.
    case buffered
    /// As soon as it is stored, together with everything that waits. A sink that fails gets it later.
    case immediately
  }

  /// The event's name, as the event's type or the call site has it.
  public package(set) var name: String
  package var values: Values
  /// The name and values that the event brings for sinks with new names; `nil` for most events.
  package var newForm: NewForm?
  /// The typed event that was logged; `nil` for a name with a dictionary.
  public let event: (any TypedEvent)?
  /// The event's id, where it is known already.
  package var id: EventID?
  /// What the front decided for it; `nil` where events are not stamped.
  package var decision: DecisionStamp?
  /// When it happened, in milliseconds since 1970-01-01T00:00:00Z; `nil` stands for now.
  public let time: Int64?
  /// The sinks that may have it.
  public let scope: Sink.Scope
  /// When it leaves.
  public let delivery: Delivery

  package init(
    name: String, values: Values, newForm: NewForm? = nil, event: (any TypedEvent)? = nil, id: EventID? = nil,
    time: Int64? = nil, scope: Sink.Scope = .all, delivery: Delivery = .buffered
  ) {
    self.name = name
    self.values = values
    self.newForm = newForm
    self.event = event
    self.id = id
    self.time = time
    self.scope = scope
    self.delivery = delivery
  }

  /// The parameters as JSON can hold them; what it cannot hold is missing.
  public var parameters: [String: EventValue] { values.payload.converted.values }
}

extension EventCall {
  /// Which of its two forms a sink gets of an event.
  package enum Form: Sendable, Hashable {
    /// The name and the parameters of the call site.
    case original
    /// The event's own new form, or what a front makes of the original one.
    case new
  }

  /// A name and values in the form that a sink with new names gets.
  package struct NewForm {
    package let name: String
    package let payload: CapturedEvent.Payload
  }

  /// Whether it brings the form that a sink gets of it.
  package func brings(_ form: Form) -> Bool { form == .new && newForm != nil }

  /// The name and the values for a sink, before any transform.
  package func content(in form: Form) -> NewForm {
    if form == .new, let newForm { return newForm }
    return NewForm(name: name, payload: values.payload)
  }

  /// The parameters as the call site gave them.
  package enum Values {
    /// They may not leave the caller's thread.
    case plain([String: Any])
    case sendable([String: any Sendable])
    case values([String: EventValue])
    /// Converted already; what the conversion left out, and, where it is known, what an old logger gets instead.
    case converted([String: EventValue], issues: [EventValue.ConversionIssue], plain: [String: Any]?)

    /// As a tracker takes them: values that may not leave the caller's thread are converted on it.
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

    /// As an old logger takes them. An ``EventValue`` becomes what it stands for: an old logger does not know the type.
    package var plain: [String: Any] {
      switch self {
      case .plain(let parameters): parameters
      case .sendable(let parameters) where !parameters.values.contains(where: Self.isEventValue): parameters.erased
      case .sendable(let parameters): parameters.mapValues { ($0 as? EventValue)?.plainValue ?? $0 }
      case .values(let parameters): parameters.mapValues(\.plainValue)
      case .converted(let parameters, _, let plain): plain ?? parameters.mapValues(\.plainValue)
      }
    }

    /// By the type alone: a cast costs ten times as much, and nearly no value is one.
    private static func isEventValue(_ value: any Sendable) -> Bool {
      let type = type(of: value as Any)
      return type == EventValue.self || type == EventValue?.self
    }
  }
}

extension EventCall {
  /// Converts values that may not leave the caller's thread, so that several sinks do so once.
  mutating func convert() {
    guard case .plain(let plain) = values, case .converted(let converted, let issues) = values.payload else { return }
    values = .converted(converted, issues: issues, plain: plain)
  }

  /// Applies mutations to everything that any sink gets of the event.
  ///
  /// - Returns: whether the event goes on.
  mutating func mutate(by chain: MutationChain, id: EventID, time: Int64) -> Bool {
    let before = values.payload.converted
    guard let after = mutated(name, before.values, by: chain, id: id, time: time) else { return false }
    var plain = values.plain
    var converter = EventValueConverter()
    let parameters = converter.convert(after.parameters)
    plain.patch(from: before.values, to: parameters)
    name = after.name
    values = .converted(parameters, issues: before.leftOut + converter.issues, plain: plain)
    guard let form = newForm else { return true }
    let converted = form.payload.converted
    guard let new = mutated(form.name, converted.values, by: chain, id: id, time: time) else { return false }
    var newConverter = EventValueConverter()
    let newParameters = newConverter.convert(new.parameters)
    newForm = NewForm(
      name: new.name, payload: .converted(newParameters, issues: converted.leftOut + newConverter.issues))
    return true
  }

  private func mutated(
    _ name: String, _ values: [String: EventValue], by chain: MutationChain, id: EventID, time: Int64
  ) -> Mutation.Event? {
    chain.applied(to: Mutation.Event(name: name, parameters: values, id: id, time: time, original: event))
  }
}

extension [String: Any] {
  /// Takes over what a mutation changed and leaves every other value the object that it is.
  fileprivate mutating func patch(from before: [String: EventValue], to after: [String: EventValue]) {
    for key in before.keys where after[key] == nil { self[key] = nil }
    for (key, value) in after where before[key] != value { self[key] = value.plainValue }
  }
}

extension [String: any Sendable] {
  /// The same dictionary as one of values that need not be sendable.
  ///
  /// At run time the two types are one, because `Sendable` leaves no trace there (SE-0302, marker protocols). `as` hashes
  /// every key again and builds a second table: for 10 keys about 1 µs, as much as making the dictionary
  /// (`scripts/benchmark caller` has a row for it).
  fileprivate var erased: [String: Any] {
    unsafeBitCast(self, to: [String: Any].self)
  }
}
