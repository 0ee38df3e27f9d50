public import DualSendCore

/// One request as a ``WireFormat`` makes it, before compression.
public struct WireRequest: Sendable, Hashable {
  /// What a collector takes at most. Bytes are counted before compression.
  public struct Limits: Sendable, Hashable {
    /// Events in a request.
    public var events: Int
    /// Bytes of a request's body.
    public var bytes: Int
    /// Bytes of one event as it stands in the body.
    public var eventBytes: Int

    /// Creates limits; no limit where none is given.
    public init(events: Int = .max, bytes: Int = .max, eventBytes: Int = .max) {
      self.events = events
      self.bytes = bytes
      self.eventBytes = eventBytes
    }
  }

  /// Why an event has no place in a request of this format. It becomes a dead letter with this reason.
  public struct Refusal: Error, Sendable, Hashable {
    /// The reason, without values of the payload.
    public let reason: String

    /// Creates a refusal.
    public init(_ reason: String) {
      self.reason = reason
    }
  }

  /// Header fields; they replace those of the same name that ``TrackingEndpoint/headers`` holds.
  public var headers: [String: String]
  /// The body, not compressed.
  public var body: [UInt8]
  /// How many of the events, from the first on, the body holds or the format refused; at least 1.
  public var eventCount: Int
  /// Those of them that the body does not hold, and why: they become dead letters.
  public var refused: [EventID: String]
  /// How the collector takes a compressed body. Where it does not take ``TrackingEndpoint/compression``, `gzip` is used
  /// if it is among these, else none.
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
  /// Creates a request whose body is a list: an opening, one element an event with separators between, a closing.
  ///
  /// Takes events until a limit is reached. An event that exceeds a limit by itself, or for which `element` throws, is
  /// refused.
  public init(
    of events: ArraySlice<TrackingData>, limits: Limits = Limits(),
    headers: [String: String] = ["Content-Type": "application/json"],
    encodings: Set<TrackingEndpoint.Compression> = [.deflate, .gzip],
    opening: [UInt8] = Array("[".utf8), separator: [UInt8] = Array(",".utf8), closing: [UInt8] = Array("]".utf8),
    element: (TrackingData) throws(Refusal) -> [UInt8]
  ) {
    self.init(headers: headers, body: opening, eventCount: 0, encodings: encodings)
    body.reserveCapacity(events.reduce(opening.count + closing.count) { $0 + $1.body.count + separator.count })
    var held = 0
    for event in events {
      do throws(Refusal) {
        if held >= limits.events { break }
        let element = try element(event)
        // `refused` tells events by id: one that shares its id with a refused event goes into the next request.
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
      throw Refusal("\(bytes) bytes are more than the collector takes of \(what), which is \(limit)")
    }
  }
}
