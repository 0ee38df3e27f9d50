package import DualSendCore

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
