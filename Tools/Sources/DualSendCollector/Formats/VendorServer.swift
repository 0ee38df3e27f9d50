import DualSendCore

/// How the server of one wire format reads a request and answers it.
protocol VendorServer: Sendable {
  /// Where batches are posted.
  var path: String { get }
  /// The media types it takes; empty for any.
  var mediaTypes: Set<String> { get }
  /// The largest request, beyond which it is refused.
  var limits: VendorLimits { get }
  /// Whether it takes the rest of a batch of which it refuses some events; otherwise it takes nothing of it.
  var takesTheRest: Bool { get }

  /// Whether its events have ids, by which one that comes again is told from a new one.
  var hasIDs: Bool { get }
  /// Whether an event's properties carry what its app decided; it is taken out of them.
  var stampsProperties: Bool { get }
  /// The member of a body that holds its events; `nil` if the body is the array itself, or no list at all.
  var listKey: String? { get }

  /// Checks a body as a whole and takes its events apart.
  func elements(of body: RequestValue, _ head: RequestHead) throws(RequestFault) -> [RequestValue]

  /// Reads one event.
  ///
  /// - Parameter body: the request's body, for options that hold for all of its events.
  func event(_ element: RequestValue, in body: RequestValue) throws(RequestFault) -> TrackingEvent

  /// The answer to a batch that it took, without the events that are refused.
  func success(_ batch: TakenBatch) -> Answer

  /// The body of an answer with another status than success.
  ///
  /// - Parameters:
  ///   - faults: why; none if the status has nothing to do with the events.
  ///   - events: how many events the request has, as far as they could be read.
  func refusal(_ status: Int, _ faults: [RequestFault], events: Int) -> EventValue
}

extension VendorServer {
  var mediaTypes: Set<String> { ["application/json"] }
  var takesTheRest: Bool { false }
  var hasIDs: Bool { true }
  var stampsProperties: Bool { true }
  var listKey: String? { nil }

  /// Reads one event with what its app decided for it.
  ///
  /// - Parameter body: the request's body, for options that hold for all of its events.
  func stampedEvent(_ element: RequestValue, in body: RequestValue) throws(RequestFault) -> TrackingEvent {
    let event = try event(element, in: body)
    guard stampsProperties, case .string(let text)? = event.payload[DecisionStamp.key],
      let decision = DecisionStamp(text)
    else { return event }
    var payload = event.payload
    payload[DecisionStamp.key] = nil
    return TrackingEvent(id: event.id, time: event.time, name: event.name, payload: payload, decision: decision)
  }

  /// The first fault, and how many there are.
  func message(_ faults: [RequestFault], otherwise: String = "the collector was told to answer so") -> String {
    guard let first = faults.first else { return otherwise }
    return faults.count == 1 ? first.description : "\(first.description); \(faults.count - 1) more"
  }
}

/// The largest request that a server takes.
struct VendorLimits {
  var bytes = Int.max
  var events = Int.max
  var eventBytes = Int.max
  /// The status of the answer to a request that is larger.
  var status = 413
}

/// The header fields of a request that a server looks at.
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

/// A batch that a server took.
struct TakenBatch {
  /// How many of its events were taken, and how many of them were new.
  let taken: Int
  let accepted: Int
  /// The length of the body as it came over the wire.
  let byteCount: Int
  /// The events that it refuses, with their ids.
  let rejected: [(id: EventID, fault: RequestFault)]
  /// Events that could not be read.
  let malformed: [RequestFault]
}

extension EventID {
  /// The id of an event whose format allows any text for an id, or none: the UUID it is, else one that depends on the text
  /// alone, else a new one.
  init(vendorText text: String?, time: Int64) {
    if let id = text.flatMap({ EventID($0) }) {
      self = id
    } else if let text {
      // The 64-bit FNV-1a hash (Fowler, Noll, Vo).
      let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325) { (hash: UInt64, byte) in
        (hash ^ UInt64(byte)) &* 0x100_0000_01b3
      }
      var bits = SplitMix64(seed: hash)
      self.init(milliseconds: time, using: &bits)
    } else {
      var bits = EventIDGenerator()
      self.init(milliseconds: time, using: &bits)
    }
  }
}
