package import DualSendCore

/// Encodes captured events for the store.
struct EventEncoder {
  enum Result {
    case encoded(TrackingData)
    case dropped(DropReason)
  }

  let maximumBytes: Int
  /// The sink id that the tracker's own mutations see.
  let sink: Sink.ID
  private var generator = EventIDGenerator()

  init(maximumBytes: Int, sink: Sink.ID) {
    self.maximumBytes = maximumBytes
    self.sink = sink
  }

  /// Converts, transforms, mutates and encodes one event, in this order.
  ///
  /// - Parameter leftOut: called for every value that could not be converted.
  mutating func encode(_ captured: CapturedEvent, leftOut: (EventValue.ConversionIssue) -> Void) -> Result {
    let id = captured.id ?? EventID(milliseconds: captured.time, using: &generator)
    let (encoded, issues) = encoded(captured, id: id)
    issues.forEach(leftOut)
    guard let data = encoded else { return .dropped(.redacted) }
    return data.body.count <= maximumBytes ? .encoded(data) : .dropped(.tooLarge)
  }

  /// - Returns: the event, `nil` if a mutation dropped it, and the values that were left out.
  private func encoded(
    _ captured: CapturedEvent, id: EventID
  ) -> (data: TrackingData?, leftOut: [EventValue.ConversionIssue]) {
    guard case .sendable(let values) = captured.payload, captured.transform == nil, captured.mutations == nil else {
      let (payload, issues) = captured.payload.converted
      let event = TrackingEvent(
        id: id, time: captured.time, name: captured.name, payload: payload, decision: captured.decision)
      guard let made = transformed(event, of: captured) else { return (nil, issues) }
      // A table may move a value deeper than an event may be.
      guard captured.transform != nil,
        made.payload.values.contains(where: { $0.isDeeper(than: EventValueConverter.maximumDepth - 1) })
      else { return (TrackingData(made), issues) }
      var converter = EventValueConverter()
      let limited = made.with(name: made.name, payload: converter.convert(made.payload))
      return (TrackingData(limited), issues + converter.issues)
    }
    var converter = EventValueConverter()
    let data = TrackingData(id: id, time: captured.time, name: captured.name, decision: captured.decision) {
      $0.object(values, converting: &converter)
    }
    return (data, converter.issues)
  }

  private func transformed(_ event: TrackingEvent, of captured: CapturedEvent) -> TrackingEvent? {
    var event = event
    if let transform = captured.transform {
      guard let transformed = transform.transformed(event, source: captured.source, captured: captured.captured) else {
        return nil
      }
      event = transformed
    }
    guard let mutations = captured.mutations else { return event }
    return mutations.applied(to: event, sink: sink, original: captured.source, captured: captured.ownCaptured)
  }
}

// MARK: - Captured event

/// Turns an event into the form in which it is stored. Runs on the dispatcher, off the caller's thread.
package protocol EventProcessor: AnyObject, Sendable {
  /// - Parameters:
  ///   - source: the typed event that was logged, if it was one.
  ///   - captured: what the mutations read when the event was logged; `nil` to read it now.
  /// - Returns: `nil` if the event is dropped.
  func transformed(
    _ event: TrackingEvent, source: (any TypedEvent)?, captured: [MutationChain.Captured]?
  ) -> TrackingEvent?
}

/// An event as captured on the caller's thread: stamped with the time, not yet converted.
package struct CapturedEvent: Sendable {
  package let time: Int64
  package let name: String
  package let payload: EventCall.Values
  /// `nil` lets the dispatcher make one.
  package let id: EventID?
  package let transform: (any EventProcessor)?
  /// The typed event that was logged, for the transform.
  package let source: (any TypedEvent)?
  /// What the mutations of the transform read when the event was logged.
  let captured: [MutationChain.Captured]?
  /// The decision for the event; `nil` if events carry none.
  package let decision: CarriedDecision?
  /// Whether to send it as soon as it is stored.
  package let isUrgent: Bool
  /// The tracker's mutations at the time of capture. They run after the transform. `nil` for none.
  var mutations: MutationChain?
  /// What ``mutations`` read when the event was logged.
  var ownCaptured: [MutationChain.Captured]?

  package init(
    time: Int64, name: String, payload: EventCall.Values, id: EventID? = nil, transform: (any EventProcessor)? = nil,
    source: (any TypedEvent)? = nil, captured: [MutationChain.Captured]? = nil, decision: CarriedDecision? = nil,
    isUrgent: Bool = false
  ) {
    self.time = time
    self.name = name
    self.payload = payload
    self.id = id
    self.transform = transform
    self.source = source
    self.captured = captured
    self.decision = decision
    self.isUrgent = isUrgent
  }
}

// MARK: - Sink transform

/// Receives both forms of an event.
package typealias EventPairObserver = @Sendable (_ old: TrackingEvent, _ new: TrackingEvent) -> Void

/// Transforms an event for one sink: renames it, calls the observer of the pair, and applies mutations.
final class SinkProcessor: EventProcessor {
  private let sink: Sink.ID
  /// `nil` if the names stay.
  private let renaming: (any EventProcessor)?
  private let observer: EventPairObserver?
  private let mutations: MutationChain

  init(_ sink: Sink.ID, renaming: (any EventProcessor)?, observer: EventPairObserver?, mutations: MutationChain) {
    self.sink = sink
    self.renaming = renaming
    self.observer = observer
    self.mutations = mutations
  }

  func transformed(
    _ event: TrackingEvent, source: (any TypedEvent)?, captured: [MutationChain.Captured]?
  ) -> TrackingEvent? {
    var inNewForm = event
    if let renaming {
      guard let renamed = renaming.transformed(event, source: source, captured: nil) else { return nil }
      inNewForm = renamed
    }
    observer?(event, inNewForm)
    return mutations.isEmpty
      ? inNewForm : mutations.applied(to: inNewForm, sink: sink, original: source, captured: captured)
  }
}
