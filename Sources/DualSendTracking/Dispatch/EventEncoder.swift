import DualSendCore

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
