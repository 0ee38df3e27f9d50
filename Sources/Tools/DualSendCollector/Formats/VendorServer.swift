import DualSendCore

/// The server side of one wire format.
protocol VendorServer: Sendable {
  /// The path for batches.
  var path: String { get }
  /// The accepted media types; empty for any.
  var mediaTypes: Set<String> { get }
  /// The limits of a request.
  var limits: VendorLimits { get }
  /// Whether it accepts the other events of a batch with rejected ones; otherwise it accepts none.
  var acceptsPartialBatches: Bool { get }

  /// Whether its events have ids, by which duplicates are recognised.
  var hasIDs: Bool { get }
  /// Whether an event's properties hold the decision, which is removed from them.
  var hasDecisionInProperties: Bool { get }
  /// The member of a body that holds the events; `nil` if the body is an array or has no list.
  var listKey: String? { get }

  /// The elements of a body.
  func elements(of body: RequestValue) throws(RequestFault) -> [RequestValue]

  /// Checks what the API demands of a request besides its elements. A recording need not have it.
  func checkRequest(_ body: RequestValue, _ head: RequestHead) throws(RequestFault)

  /// Reads one event: no more than what it needs to be one.
  func event(_ element: RequestValue) throws(RequestFault) -> RecordedEvent

  /// Checks what the API demands of an event besides. A recording need not have it.
  ///
  /// - Parameter body: the request's body, for options that apply to all events.
  func checkEvent(_ element: RequestValue, in body: RequestValue) throws(RequestFault)

  /// The kind of a call that is no event; `nil` for any other element.
  func otherCall(_ element: EventValue) -> String?

  /// The response to a batch, of which some events may be rejected.
  func success(_ batch: TakenBatch) -> Answer

  /// The body of a response with an error status.
  ///
  /// - Parameters:
  ///   - faults: the reasons; empty if the status is unrelated to the events.
  ///   - events: the number of readable events in the request.
  func refusal(_ status: Int, _ faults: [RequestFault], events: Int) -> EventValue
}

extension VendorServer {
  var mediaTypes: Set<String> { ["application/json"] }
  var acceptsPartialBatches: Bool { false }
  var hasIDs: Bool { true }
  var hasDecisionInProperties: Bool { true }
  var listKey: String? { nil }

  func elements(of body: RequestValue) throws(RequestFault) -> [RequestValue] {
    guard let listKey else { return try body.elements() }
    return try body.required(listKey).elements()
  }

  func checkRequest(_: RequestValue, _: RequestHead) throws(RequestFault) {}
  func checkEvent(_: RequestValue, in _: RequestValue) throws(RequestFault) {}
  func otherCall(_: EventValue) -> String? { nil }

  func refusal(_: Int, _ faults: [RequestFault], events _: Int) -> EventValue {
    ["error": .string(message(faults))]
  }

  /// Reads one event with its decision.
  func recordedEvent(_ element: RequestValue) throws(RequestFault) -> RecordedEvent {
    var event = try event(element)
    guard hasDecisionInProperties, case .string(let text)? = event.payload[CarriedDecision.key],
      let decision = CarriedDecision(text)
    else { return event }
    event.payload[CarriedDecision.key] = nil
    event.decision = decision
    return event
  }

  /// Reads and checks one event of a request. An event without a time has that of its arrival.
  ///
  /// - Parameter body: the request's body, for options that apply to all events.
  func receivedEvent(_ element: RequestValue, in body: RequestValue) throws(RequestFault) -> TrackingEvent {
    try checkEvent(element, in: body)
    let event = try recordedEvent(element)
    let time = event.time ?? TimeSource.system.wallMilliseconds()
    return TrackingEvent(
      id: EventID(vendorText: event.id, time: time), time: time, name: event.name, payload: event.payload,
      decision: event.decision)
  }

  /// The first fault, and the number of others.
  func message(_ faults: [RequestFault], otherwise: String = "a fault is configured") -> String {
    guard let first = faults.first else { return otherwise }
    return faults.count == 1 ? first.description : "\(first.description); \(faults.count - 1) more"
  }
}

/// The limits of a server's requests.
struct VendorLimits {
  var bytes = Int.max
  var events = Int.max
  var eventBytes = Int.max
  /// The response's status for a larger request.
  var status = 413
}

/// The header fields of a request that servers use.
package struct RequestHead: Sendable, Hashable {
  package var contentType: String?
  package var contentEncoding: String?
  package var authorization: String?

  package init(contentType: String? = nil, contentEncoding: String? = nil, authorization: String? = nil) {
    (self.contentType, self.contentEncoding, self.authorization) = (contentType, contentEncoding, authorization)
  }

  /// The content type without its parameters.
  var mediaType: String? {
    contentType.map { $0.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased() }
  }
}

/// An accepted batch.
struct TakenBatch {
  /// The number of accepted events, and of new ones among them.
  let taken: Int
  var accepted = 0
  /// The length of the body as received.
  let byteCount: Int
  /// The rejected events with their ids.
  var rejected: [(id: EventID, fault: RequestFault)] = []
  /// The unreadable events.
  var malformed: [RequestFault] = []
  /// Ids of events that repeat an id with other contents, of which only the first is kept.
  var conflicting: [EventID] = []
}

extension EventID {
  /// Creates the id of an event whose format allows any text, or none: the UUID, or an id derived from the text, or a
  /// new one.
  init(vendorText text: String?, time: Int64) {
    if let id = text.flatMap({ EventID($0) }) {
      self = id
    } else if let text {
      var bits = SplitMix64(seed: FNV1a.hash(text.utf8))
      self.init(milliseconds: time, using: &bits)
    } else {
      var bits = EventIDGenerator()
      self.init(milliseconds: time, using: &bits)
    }
  }
}

extension [String: EventValue] {
  /// Without the members at some names that copy another member, as a format adds them. What the app itself sent there
  /// stays.
  func removingCopies(at names: Set<String>) -> [String: EventValue] {
    let others = Set(filter { !names.contains($0.key) }.values.compactMap(\.identityText))
    return filter { name, value in !names.contains(name) || !(value.identityText.map(others.contains) ?? false) }
  }
}

extension EventValue {
  /// An identity as text; `nil` for what is none.
  fileprivate var identityText: String? {
    switch self {
    case .string(let text): text
    case .int(let number): String(number)
    default: nil
    }
  }
}
