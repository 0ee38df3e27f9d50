import DualSendCore
import DualSendRollout
import DualSendTracking

/// One event as a call site handed it over, and what it asked for.
struct EventCall {
  /// A name and values in the form that the new side gets.
  struct NewForm {
    let name: String
    let payload: CapturedEvent.Payload
  }

  /// The parameters as the call site gave them, made into what an old logger takes only where one gets them.
  enum Parameters {
    case plain([String: Any])
    case sendable([String: any Sendable])
    case values([String: EventValue])

    /// An ``EventValue`` among sendable values becomes what it stands for: no old logger knows the type.
    var dictionary: [String: Any] {
      switch self {
      case .plain(let parameters): parameters
      case .sendable(let parameters) where !parameters.values.contains(where: Self.isEventValue): parameters.erased
      case .sendable(let parameters): parameters.mapValues { ($0 as? EventValue)?.plainValue ?? $0 }
      case .values(let parameters): parameters.mapValues(\.plainValue)
      }
    }

    /// By the type alone: a cast costs ten times as much, and nearly no value is one.
    private static func isEventValue(_ value: any Sendable) -> Bool {
      let type = type(of: value as Any)
      return type == EventValue.self || type == EventValue?.self
    }
  }

  let name: String
  /// As the old logger is to get them.
  var parameters: Parameters
  /// The same, as sinks with a store get them.
  var payload: CapturedEvent.Payload
  var newForm: NewForm?
  /// The typed event.
  var source: (any TypedEvent)?
  var id: EventID?
  var time: Int64?
  var scope = Sink.Scope.all
  var delivery = DualSendTracker.Delivery.buffered
}

extension EventCall {
  /// A call with values that may leave the caller's thread as they are.
  init(
    _ name: String, _ parameters: [String: any Sendable], newForm: NewForm? = nil, source: (any TypedEvent)? = nil,
    time: Int64? = nil, scope: Sink.Scope = .all, delivery: DualSendTracker.Delivery = .buffered
  ) {
    self.init(
      name: name, parameters: .sendable(parameters), payload: .sendable(parameters), newForm: newForm, source: source,
      time: time, scope: scope, delivery: delivery)
  }

  /// The name and values that a side gets, before any transform.
  func form(for side: RolloutSide) -> NewForm {
    if side == .new, let newForm { return newForm }
    return NewForm(name: name, payload: payload)
  }

  /// Applies the mutations that run on the caller's thread to everything that both sides get.
  mutating func mutate(by chain: MutationChain, id: EventID, time: Int64) {
    guard !chain.isEmpty else { return }
    let before = payload.converted
    let after = mutated(before.values, named: name, by: chain, id: id, time: time)
    var dictionary = parameters.dictionary
    dictionary.patch(from: before.values, to: after)
    parameters = .plain(dictionary)
    payload = .converted(after, issues: before.leftOut)
    guard let form = newForm else { return }
    let converted = form.payload.converted
    let values = mutated(converted.values, named: form.name, by: chain, id: id, time: time)
    newForm = NewForm(name: form.name, payload: .converted(values, issues: converted.leftOut))
  }

  private func mutated(
    _ values: [String: EventValue], named name: String, by chain: MutationChain, id: EventID, time: Int64
  ) -> [String: EventValue] {
    var event = Mutation.Event(name: name, parameters: values, id: id, time: time, original: source)
    chain.apply(to: &event)
    return event.parameters
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
  /// At run time the two types are one, because `Sendable` leaves no trace there (SE-0302, marker protocols); `as` would
  /// hash every key again and build a second table.
  var erased: [String: Any] {
    unsafeBitCast(self, to: [String: Any].self)
  }
}
