package import DualSendCore

/// Turns an event into the form it is stored in; runs on the dispatcher, off the caller's path.
package protocol EventTransform: AnyObject, Sendable {
  /// - Parameter source: the typed event that was logged, if it was one.
  /// - Returns: `nil` for an event that is given up.
  func transformed(_ event: TrackingEvent, source: (any TypedEvent)?) -> TrackingEvent?
}

/// An event as the caller's thread leaves it: stamped, not yet converted.
package struct CapturedEvent: Sendable {
  package enum Payload: Sendable {
    case sendable([String: any Sendable])
    case values([String: EventValue])
    /// Converted on the caller's thread, because the caller's values may not leave it.
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
  /// What the app decided for the event; `nil` where events are not stamped.
  package let decision: DecisionStamp?
  /// Whether it is sent as soon as it is stored, without waiting for others.
  package let isUrgent: Bool
  /// Where other trackers take the same event, with the same id and transform: what all of them store.
  package let shared: SharedEncoding?
  /// The tracker's own mutations when the event came; they follow the transform. `nil` for none.
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
  /// The values that JSON can hold, and what was left out.
  package var converted: (values: [String: EventValue], leftOut: [EventValue.ConversionIssue]) {
    var converter = EventValueConverter()
    switch self {
    case .sendable(let values): return (converter.convert(values), converter.issues)
    case .values(let values): return (converter.convert(values), converter.issues)
    case .converted(let values, let issues): return (values, issues)
    }
  }
}
