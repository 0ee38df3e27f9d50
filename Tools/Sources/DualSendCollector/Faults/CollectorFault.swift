public import DualSendCore

/// A fault of the collector, and when it occurs.
public struct CollectorFault: Sendable, Hashable {
  /// Which requests a fault affects.
  public enum Trigger: Sendable, Hashable {
    /// All requests.
    case always
    /// The next requests, up to this count.
    case next(Int)
    /// Every k-th request.
    case every(Int)
    /// Each request with this probability, 0…1, using the server's seed.
    case random(Double)
  }

  /// The effect of a fault on a request.
  public enum Effect: Sendable, Hashable {
    /// Nothing is stored; the response has this status.
    case status(Int)
    /// The selected events are rejected as the format defines: by `rejected`, a partial success, or a list of
    /// positions. The others are stored, unless the vendor then rejects the whole batch.
    case reject(EventSelector)
    /// A batch with a selected event is rejected as a whole with this status.
    case poison(EventSelector, status: Int)
    /// A body above this many bytes, as received, is rejected with 413.
    case limit(bytes: Int)
    /// The response is delayed by this time.
    case delay(Duration)
    /// Nothing is stored, and the connection is closed without a response.
    case drop
    /// The events are stored, but the connection is closed without a response.
    case lose
    /// The events are stored, but the connection is closed in the middle of the response's body.
    case cut
    /// The response is sent with this pause before each byte of its body.
    case drip(Duration)
  }

  /// The `Retry-After` of a response (RFC 9110, section 10.2.3).
  public enum RetryAfter: Sendable, Hashable {
    /// `Retry-After: 120`
    case seconds(Int)
    /// `Retry-After: Fri, 31 Dec 1999 23:59:59 GMT`, this many seconds after the response's `Date`.
    case date(secondsFromNow: Int)
  }

  /// The effect.
  public var effect: Effect
  /// The trigger.
  public var trigger: Trigger
  /// The `Retry-After` field of a response with a status.
  public var retryAfter: RetryAfter?
  /// Further header fields of a response with a status, such as `Location`.
  public var headers: [String: String]

  /// Creates a fault.
  public init(
    _ effect: Effect, _ trigger: Trigger = .always, retryAfter: RetryAfter? = nil, headers: [String: String] = [:]
  ) {
    self.effect = effect
    self.trigger = trigger
    self.retryAfter = retryAfter
    self.headers = headers
  }

  /// Whether it depends on the events of a batch.
  var readsEvents: Bool {
    switch effect {
    case .reject, .poison: true
    default: false
    }
  }
}

/// Selects events of a batch.
public enum EventSelector: Sendable, Hashable {
  /// The event with this id.
  case id(EventID)
  /// Events with this name or, if it ends in `*`, with this prefix.
  case name(String)
  /// Events whose payload has this top-level key.
  case payloadKey(String)

  func selects(_ event: TrackingEvent) -> Bool {
    switch self {
    case .id(let id): event.id == id
    case .name(let name):
      name.utf8.last == UInt8(ascii: "*")
        ? event.name.utf8.starts(with: name.utf8.dropLast()) : event.name.isExactly(name)
    case .payloadKey(let key): event.payload[key] != nil
    }
  }
}
