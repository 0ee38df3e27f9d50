@_spi(Tools) import DualSendCore

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

  /// Converts, transforms, redacts and encodes one event, in this order.
  ///
  /// - Parameter leftOut: hears of every value that could not be converted.
  mutating func encode(_ captured: CapturedEvent, leftOut: (EventValue.ConversionIssue) -> Void) -> Result {
    let id = captured.id ?? EventID(milliseconds: captured.time, using: &generator)
    let data: TrackingData
    if case .sendable(let values) = captured.payload, captured.transform == nil, beforeSend == nil {
      var converter = EventValueConverter()
      data = TrackingData(id: id, time: captured.time, name: captured.name) {
        $0.object(values, converting: &converter)
      }
      converter.issues.forEach(leftOut)
    } else {
      let payload = Self.payload(of: captured, leftOut: leftOut)
      var event = TrackingEvent(id: id, time: captured.time, name: captured.name, payload: payload)
      if let transform = captured.transform { event = transform.transformed(event, source: captured.source) }
      if let beforeSend {
        guard let kept = beforeSend(event) else { return .dropped(.redacted) }
        event = kept
      }
      data = TrackingData(event)
    }
    return data.body.count <= maximumBytes ? .encoded(data) : .dropped(.tooLarge)
  }

  private static func payload(
    of captured: CapturedEvent, leftOut: (EventValue.ConversionIssue) -> Void
  ) -> [String: EventValue] {
    var converter = EventValueConverter()
    defer { converter.issues.forEach(leftOut) }
    switch captured.payload {
    case .sendable(let values): return converter.convert(values)
    case .values(let values): return converter.convert(values)
    case .converted(let values, let issues):
      issues.forEach(leftOut)
      return values
    }
  }
}
