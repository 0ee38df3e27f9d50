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

  /// Encodes an event that other trackers share, unless one of them has done so or is doing so. Trackers that run in
  /// parallel thereby divide the work.
  func prepare(_ captured: CapturedEvent) {
    guard captured.mutations == nil, let id = captured.id else { return }
    captured.shared?.prepare { encoded(captured, id: id) }
  }

  /// Converts, transforms, mutates and encodes one event, in this order.
  ///
  /// - Parameter leftOut: called for every value that could not be converted.
  mutating func encode(_ captured: CapturedEvent, leftOut: (EventValue.ConversionIssue) -> Void) -> Result {
    let id = captured.id ?? EventID(milliseconds: captured.time, using: &generator)
    let encoded: EncodedEvent
    if captured.id != nil, captured.mutations == nil, let shared = captured.shared {
      encoded = shared.value { self.encoded(captured, id: id) }
    } else {
      encoded = self.encoded(captured, id: id)
    }
    encoded.leftOut.forEach(leftOut)
    guard let data = encoded.data else { return .dropped(.redacted) }
    return data.body.count <= maximumBytes ? .encoded(data) : .dropped(.tooLarge)
  }

  private func encoded(_ captured: CapturedEvent, id: EventID) -> EncodedEvent {
    guard case .sendable(let values) = captured.payload, captured.transform == nil, captured.mutations == nil else {
      let (payload, issues) = captured.payload.converted
      let event = TrackingEvent(
        id: id, time: captured.time, name: captured.name, payload: payload, decision: captured.decision)
      return EncodedEvent(data: transformed(event, of: captured).map { TrackingData($0) }, leftOut: issues)
    }
    var converter = EventValueConverter()
    let data = TrackingData(id: id, time: captured.time, name: captured.name, decision: captured.decision) {
      $0.object(values, converting: &converter)
    }
    return EncodedEvent(data: data, leftOut: converter.issues)
  }

  private func transformed(_ event: TrackingEvent, of captured: CapturedEvent) -> TrackingEvent? {
    var event = event
    if let transform = captured.transform {
      guard let transformed = transform.transformed(event, source: captured.source) else { return nil }
      event = transformed
    }
    guard let mutations = captured.mutations else { return event }
    return mutations.applied(to: event, sink: sink, original: captured.source)
  }
}

// MARK: - Shared encoding

/// The encoding of one event that several trackers store. The first to need it makes it.
package final class SharedEncoding: Sendable {
  private let encoded = Locked<EncodedEvent?>(nil)

  package init() {}

  /// Makes the encoding, unless it exists or another tracker is making it. Never waits.
  func prepare(_ make: () -> EncodedEvent) {
    _ = encoded.withLockIfAvailable { Self.value(&$0, make) }
  }

  /// The encoding. Makes it if necessary, or waits for the tracker that is making it.
  func value(_ make: () -> EncodedEvent) -> EncodedEvent {
    encoded.withLock { Self.value(&$0, make) }
  }

  private static func value(_ encoded: inout EncodedEvent?, _ make: () -> EncodedEvent) -> EncodedEvent {
    if let encoded { return encoded }
    let made = make()
    encoded = made
    return made
  }
}

/// An encoded event, and the values that were left out.
struct EncodedEvent: Sendable {
  /// `nil` for an event that a mutation dropped.
  let data: TrackingData?
  let leftOut: [EventValue.ConversionIssue]
}

// MARK: - Captured event

/// Turns an event into the form in which it is stored. Runs on the dispatcher, off the caller's thread.
package protocol EventTransform: AnyObject, Sendable {
  /// - Parameter source: the typed event that was logged, if it was one.
  /// - Returns: `nil` if the event is dropped.
  func transformed(_ event: TrackingEvent, source: (any TypedEvent)?) -> TrackingEvent?
}

/// An event as captured on the caller's thread: stamped with the time, not yet converted.
package struct CapturedEvent: Sendable {
  package enum Payload: Sendable {
    case sendable([String: any Sendable])
    case values([String: EventValue])
    /// Converted on the caller's thread, because the values are not sendable.
    case converted([String: EventValue], issues: [EventValue.ConversionIssue])
  }

  package let time: Int64
  package let name: String
  package let payload: Payload
  /// `nil` lets the dispatcher make one.
  package let id: EventID?
  package let transform: (any EventTransform)?
  /// The typed event that was logged, for the transform.
  package let source: (any TypedEvent)?
  /// The decision for the event; `nil` if events are not stamped.
  package let decision: DecisionStamp?
  /// Whether to send it as soon as it is stored.
  package let isUrgent: Bool
  /// The encoding to share with other trackers that store the same event, with the same id and transform.
  package let shared: SharedEncoding?
  /// The tracker's mutations at the time of capture. They run after the transform. `nil` for none.
  var mutations: MutationChain?

  package init(
    time: Int64, name: String, payload: Payload, id: EventID? = nil, transform: (any EventTransform)? = nil,
    source: (any TypedEvent)? = nil, decision: DecisionStamp? = nil, isUrgent: Bool = false,
    shared: SharedEncoding? = nil
  ) {
    self.time = time
    self.name = name
    self.payload = payload
    self.id = id
    self.transform = transform
    self.source = source
    self.decision = decision
    self.isUrgent = isUrgent
    self.shared = shared
  }
}

extension CapturedEvent.Payload {
  /// The converted values, and the issues of those left out.
  package var converted: (values: [String: EventValue], leftOut: [EventValue.ConversionIssue]) {
    var converter = EventValueConverter()
    switch self {
    case .sendable(let values): return (converter.convert(values), converter.issues)
    case .values(let values): return (converter.convert(values), converter.issues)
    case .converted(let values, let issues): return (values, issues)
    }
  }
}

// MARK: - Sink transform

/// Receives both forms of an event.
package typealias EventPairObserver = @Sendable (_ old: TrackingEvent, _ new: TrackingEvent) -> Void

/// Transforms an event for one sink: renames it, calls the observer of the pair, and applies mutations.
final class SinkTransform: EventTransform {
  private let sink: Sink.ID
  /// `nil` if the names stay.
  private let renaming: (any EventTransform)?
  private let observer: EventPairObserver?
  private let mutations: MutationChain

  init(_ sink: Sink.ID, renaming: (any EventTransform)?, observer: EventPairObserver?, mutations: MutationChain) {
    self.sink = sink
    self.renaming = renaming
    self.observer = observer
    self.mutations = mutations
  }

  func transformed(_ event: TrackingEvent, source: (any TypedEvent)?) -> TrackingEvent? {
    var inNewForm = event
    if let renaming {
      guard let renamed = renaming.transformed(event, source: source) else { return nil }
      inNewForm = renamed
    }
    observer?(event, inNewForm)
    return mutations.isEmpty ? inNewForm : mutations.applied(to: inNewForm, sink: sink, original: source)
  }
}
