package import DualSendCore
import Logging

/// The path of an event from a front to its sinks: mutations on the caller's thread, sinks with a store, and sinks that
/// are called directly.
///
/// Immutable. Replaced when the mutations change, so that an event uses those in force when it was logged.
package final class SinkPipeline: Sendable {
  /// A sink and the transforms of its events. `nil` means no transform.
  private final class Entry: Sendable {
    let binding: SinkBinding
    /// The sink's tracker, cached for the path of every event.
    let tracker: Tracker?
    let mutations: MutationChain
    private let transform: (any EventProcessor)?
    /// For an event whose pair of forms is observed.
    private let observing: (any EventProcessor)?

    init(_ binding: SinkBinding, _ mutations: MutationChain) {
      func transform(_ observer: EventPairObserver?) -> (any EventProcessor)? {
        if mutations.isEmpty, observer == nil { return binding.renaming }
        return SinkProcessor(
          binding.sink.id, renaming: binding.renaming, observer: observer, mutations: mutations)
      }
      self.binding = binding
      self.mutations = mutations
      tracker = binding.sink.tracker
      self.transform = transform(nil)
      observing = transform(binding.observer)
    }

    func transform(isObserved: Bool) -> (any EventProcessor)? { isObserved ? observing : transform }
  }

  private let stored: [Entry]
  private let direct: [Entry]
  private let callerMutations: MutationChain

  /// Whether an event needs an id and ``prepare(_:id:at:for:)``, because there are several sinks, direct sinks or
  /// mutations on the caller's thread.
  package let needsPreparation: Bool
  /// Whether mutations run on the caller's thread.
  package var mutatesOnCaller: Bool { !callerMutations.isEmpty }
  /// Whether sinks are called on the caller's thread.
  package var callsDirectly: Bool { !direct.isEmpty }

  init(_ bindings: [SinkBinding], mutations: [Mutation], failures: MutationFailures) {
    let entries = bindings.map { binding in
      let own = mutations.filter { $0.place == .sink && $0.scope.includes(binding.sink.id) }
      return Entry(binding, MutationChain(own, failures: failures))
    }
    stored = entries.filter { $0.tracker != nil }
    direct = entries.filter { $0.tracker == nil }
    callerMutations = MutationChain(mutations.filter { $0.place == .caller }, failures: failures)
    needsPreparation = bindings.count > 1 || !direct.isEmpty || !callerMutations.isEmpty
  }
}

extension SinkPipeline {
  /// Prepares an event for several sinks: converts it once, and applies the mutations of the caller's thread.
  ///
  /// - Returns: `false` if a mutation dropped the event; every selected sink has then counted it.
  package func prepare(_ call: inout EventCall, id: EventID, at time: Int64, for selection: SinkSelection) -> Bool {
    call.id = id
    call.convert()
    if callerMutations.isEmpty || call.mutate(by: callerMutations, id: id, time: time) { return true }
    for entry in stored + direct where selection.includes(entry.binding, call.scope) {
      entry.binding.sink.countDropped(.redacted)
    }
    return false
  }

  /// The ids of the sinks that receive an event.
  package func receivers(_ selection: SinkSelection, _ scope: Sink.Scope) -> [Sink.ID] {
    (stored + direct).filter { selection.includes($0.binding, scope) }.map(\.binding.sink.id)
  }

  /// Passes an event to the inboxes of the sinks with a store.
  ///
  /// - Parameters:
  ///   - call: the event. Without an id, the tracker generates one.
  ///   - isObserved: whether the observers get the pair of its forms.
  package func handOver(_ call: EventCall, at time: Int64, isObserved: Bool, to selection: SinkSelection) {
    for entry in stored {
      guard selection.includes(entry.binding, call.scope), let tracker = entry.tracker else { continue }
      let observes = isObserved && entry.binding.observer != nil
      tracker.capture(
        CapturedEvent(
          time: time, name: call.name, payload: call.values, id: call.id,
          transform: entry.transform(isObserved: observes), source: call.event,
          captured: entry.mutations.capture(), decision: call.decision, isUrgent: call.delivery == .immediately))
    }
  }

  /// Calls the sinks without a store on this thread.
  ///
  /// - Parameter plain: makes the parameters for sinks that are called like an old logger.
  package func callDirectly(
    _ call: EventCall, at time: Int64, to selection: SinkSelection, plain: () -> [String: Any]
  ) {
    guard call.id != nil else { return }
    for entry in direct where selection.includes(entry.binding, call.scope) {
      if entry.binding.form == .original, case .plain(let log) = entry.binding.sink.outlet {
        log(call.name, plain())
      } else {
        hand(call, at: time, to: entry)
      }
    }
  }

  /// Passes an event in the sink's form to a sink without a store.
  private func hand(_ call: EventCall, at time: Int64, to entry: Entry) {
    guard let id = call.id else { return }
    let sink = entry.binding.sink
    var event: TrackingEvent? = TrackingEvent(
      id: id, time: time, name: call.name, payload: call.values.converted.values, decision: call.decision)
    if let transform = entry.transform(isObserved: false) {
      event = event.flatMap { transform.transformed($0, source: call.event, captured: nil) }
    }
    if let event { sink.receiveDirectly(event) } else { sink.countDropped(.redacted) }
  }
}

// MARK: - Sink binding

/// A sink of a front, with the form of its events and their renaming and observer.
package final class SinkBinding: Sendable {
  package let sink: Sink
  package let form: EventCall.Form
  /// Renames events for the sink; `nil` if the names stay.
  let renaming: (any EventProcessor)?
  /// Receives the pairs of observed events.
  let observer: EventPairObserver?

  package init(
    _ sink: Sink, form: EventCall.Form, renaming: (any EventProcessor)? = nil, observer: EventPairObserver? = nil
  ) {
    self.sink = sink
    self.form = form
    self.renaming = renaming
    self.observer = observer
  }
}

/// The sinks of a front that may receive an event. The event's own scope narrows them further.
package struct SinkSelection: Sendable {
  /// Whether sinks with original names may receive it.
  private let original: Bool
  /// Whether sinks with new names may receive it.
  private let new: Bool
  /// Decides about each of these sinks; `nil` if all may receive it.
  private let narrowing: (@Sendable (Sink.ID, EventCall.Form) -> Bool)?

  package static let all = SinkSelection(original: true, new: true)

  package init(
    original: Bool, new: Bool, narrowing: (@Sendable (Sink.ID, EventCall.Form) -> Bool)? = nil
  ) {
    self.original = original
    self.new = new
    self.narrowing = narrowing
  }

  func includes(_ binding: SinkBinding, _ scope: Sink.Scope) -> Bool {
    guard binding.form == .new ? new : original else { return false }
    if case .all = scope {} else if !scope.includes(binding.sink.id) { return false }
    return narrowing.map { $0(binding.sink.id, binding.form) } ?? true
  }
}

// MARK: - Sink registry

/// The sinks of a front and its current mutations.
package final class SinkRegistry: Sendable {
  package let bindings: [SinkBinding]
  private let current: CurrentMutations
  private let state: Locked<SinkPipeline>

  /// - Parameter bindings: a sink with the id of an earlier one is refused, and a message says so: reports and scopes name
  ///   sinks by their ids.
  package init(_ bindings: [SinkBinding], mutations: [Mutation]) {
    var ids: Set<Sink.ID> = []
    let bindings = bindings.filter { binding in
      let isNew = ids.insert(binding.sink.id).inserted
      if !isNew { Logger(label: "dualsend.sinks").critical("refused a second sink with the id \(binding.sink.id)") }
      return isNew
    }
    self.bindings = bindings
    current = CurrentMutations(mutations)
    state = Locked(SinkPipeline(bindings, mutations: mutations, failures: current.failures))
  }

  /// The current pipeline.
  package var pipeline: SinkPipeline { state.current }

  package var mutations: [Mutation] { current.all }

  package var mutationFailures: [String: Int] { current.failures.current }

  package func changeMutations(_ change: (inout [Mutation]) -> Void) {
    current.change(change) { mutations in
      let pipeline = SinkPipeline(bindings, mutations: mutations, failures: current.failures)
      state.withLock { $0 = pipeline }
    }
  }
}
