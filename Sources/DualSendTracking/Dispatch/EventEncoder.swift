import DualSendCore

/// Turns what callers handed over into what the store keeps.
struct EventEncoder {
  enum Result {
    case encoded(TrackingData)
    case dropped(DropReason)
  }

  let maximumBytes: Int
  let beforeSend: (@Sendable (TrackingEvent) -> TrackingEvent?)?
  private var generator = EventIDGenerator()

  init(maximumBytes: Int, beforeSend: (@Sendable (TrackingEvent) -> TrackingEvent?)?) {
    self.maximumBytes = maximumBytes
    self.beforeSend = beforeSend
  }

  /// Encodes what other trackers store too, unless one of them has or is at it: trackers that run side by side then
  /// share the work instead of waiting for each other.
  func prepare(_ captured: CapturedEvent) {
    guard beforeSend == nil, let id = captured.id else { return }
    captured.shared?.encoded.prepare { Self.encoded(captured, id: id) }
  }

  /// Converts, transforms, redacts and encodes one event, in this order.
  ///
  /// - Parameter leftOut: hears of every value that could not be converted.
  mutating func encode(_ captured: CapturedEvent, leftOut: (EventValue.ConversionIssue) -> Void) -> Result {
    let id = captured.id ?? EventID(milliseconds: captured.time, using: &generator)
    let encoded: EncodedEvent
    if let beforeSend {
      let (event, issues) = Self.transformed(captured, id: id)
      issues.forEach(leftOut)
      guard let kept = beforeSend(event) else { return .dropped(.redacted) }
      encoded = EncodedEvent(data: TrackingData(kept), leftOut: [])
    } else if captured.id != nil, let shared = captured.shared {
      encoded = shared.encoded { Self.encoded(captured, id: id) }
    } else {
      encoded = Self.encoded(captured, id: id)
    }
    encoded.leftOut.forEach(leftOut)
    return encoded.data.body.count <= maximumBytes ? .encoded(encoded.data) : .dropped(.tooLarge)
  }

  private static func encoded(_ captured: CapturedEvent, id: EventID) -> EncodedEvent {
    guard case .sendable(let values) = captured.payload, captured.transform == nil else {
      let (event, issues) = transformed(captured, id: id)
      return EncodedEvent(data: TrackingData(event), leftOut: issues)
    }
    var converter = EventValueConverter()
    let data = TrackingData(id: id, time: captured.time, name: captured.name) {
      $0.object(values, converting: &converter)
    }
    return EncodedEvent(data: data, leftOut: converter.issues)
  }

  private static func transformed(
    _ captured: CapturedEvent, id: EventID
  ) -> (event: TrackingEvent, leftOut: [EventValue.ConversionIssue]) {
    let (payload, issues) = captured.payload.converted
    let event = TrackingEvent(id: id, time: captured.time, name: captured.name, payload: payload)
    return (captured.transform?.transformed(event, source: captured.source) ?? event, issues)
  }
}
