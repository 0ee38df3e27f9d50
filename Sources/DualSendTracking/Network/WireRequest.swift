public import DualSendCore

/// A request of a ``WireFormat``, before compression.
public struct WireRequest: Sendable, Hashable {
  /// A collector's limits. Bytes are counted before compression.
  public struct Limits: Sendable, Hashable {
    /// The most events in a request.
    public var events: Int
    /// The most bytes of a request's body.
    public var bytes: Int
    /// The most bytes of one event in the body.
    public var eventBytes: Int

    /// Creates limits. By default there are none.
    public init(events: Int = .max, bytes: Int = .max, eventBytes: Int = .max) {
      self.events = events
      self.bytes = bytes
      self.eventBytes = eventBytes
    }
  }

  /// Why the format cannot hold an event. The event becomes a dead letter with this reason.
  public struct Refusal: Error, Sendable, Hashable {
    /// The reason, without values of the payload.
    public let reason: String

    /// Creates a refusal.
    public init(_ reason: String) {
      self.reason = reason
    }
  }

  /// Header fields. They replace fields with the same name in ``TrackingEndpoint/headers``.
  public var headers: [String: String]
  /// The body, not compressed.
  public var body: [UInt8]
  /// How many events, from the first on, the body holds or the format refused; at least 1.
  public var eventCount: Int
  /// The refused events and the reasons; they become dead letters.
  public var refused: [EventID: String]
  /// The compressions that the collector accepts. If ``TrackingEndpoint/compression`` is not among them, `gzip` is used
  /// if possible, otherwise none.
  public var encodings: Set<TrackingEndpoint.Compression>

  /// Creates a request.
  public init(
    headers: [String: String], body: [UInt8], eventCount: Int, refused: [EventID: String] = [:],
    encodings: Set<TrackingEndpoint.Compression> = [.deflate, .gzip]
  ) {
    self.headers = headers
    self.body = body
    self.eventCount = eventCount
    self.refused = refused
    self.encodings = encodings
  }
}

extension WireRequest {
  /// The header of a JSON body.
  public static let jsonHeaders = ["Content-Type": "application/json"]

  /// Creates a request whose body is a list of elements with separators, between an opening and a closing.
  ///
  /// Adds events until a limit is reached. An event that exceeds a limit by itself, or for which `element` throws, is
  /// refused.
  public init(
    of events: ArraySlice<TrackingData>, limits: Limits = Limits(),
    headers: [String: String] = Self.jsonHeaders,
    encodings: Set<TrackingEndpoint.Compression> = [.deflate, .gzip],
    opening: [UInt8] = Array("[".utf8), separator: [UInt8] = Array(",".utf8), closing: [UInt8] = Array("]".utf8),
    element: (TrackingData) throws(Refusal) -> [UInt8]
  ) {
    self.init(headers: headers, body: opening, eventCount: 0, encodings: encodings)
    body.reserveCapacity(events.reduce(opening.count + closing.count) { $0 + $1.bodyCount + separator.count })
    var held = 0
    for event in events {
      do throws(Refusal) {
        if held >= limits.events { break }
        let element = try element(event)
        // `refused` is keyed by id, so an event with the id of a refused one goes into the next request.
        if refused[event.id] != nil { break }
        try Self.check(element.count, against: limits.eventBytes, "an event")
        let alone = opening.count + element.count + closing.count
        try Self.check(alone, against: limits.bytes, "a request")
        let separator = held > 0 ? separator : []
        if body.count + separator.count + element.count + closing.count > limits.bytes { break }
        body += separator
        body += element
        held += 1
      } catch {
        if refused[event.id] == nil, events.prefix(eventCount).contains(where: { $0.id == event.id }) { break }
        refused[event.id] = error.reason
      }
      eventCount += 1
    }
    body += closing
  }

  private static func check(_ bytes: Int, against limit: Int, _ what: String) throws(Refusal) {
    if bytes > limit {
      throw Refusal("\(bytes) bytes exceed the collector's limit of \(limit) for \(what)")
    }
  }
}
