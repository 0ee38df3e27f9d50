public import DualSendCore

/// One way in which the collector misbehaves, and when.
public struct CollectorFault: Sendable, Hashable {
  /// Which of the requests that reach the fault it strikes.
  public enum Trigger: Sendable, Hashable {
    /// All of them.
    case always
    /// The next so many; after them the fault is over.
    case next(Int)
    /// Each k-th.
    case every(Int)
    /// Each with this probability, 0…1, drawn from the server's seed.
    case random(Double)
  }

  /// What happens to a request that the fault strikes.
  public enum Effect: Sendable, Hashable {
    /// Nothing is stored; the answer has this status.
    case status(Int)
    /// The selected events are refused in the words that the format has for it: `rejected`, a partial success, or a list of
    /// places. The others are stored, unless the format's vendor then takes nothing of the batch.
    case reject(EventSelector)
    /// A batch with a selected event is refused as a whole with this status.
    case poison(EventSelector, status: Int)
    /// A body above this many bytes, as it came over the wire, is refused with 413.
    case limit(bytes: Int)
    /// The right answer comes after this time.
    case delay(Duration)
    /// Nothing is stored, and the connection closes without an answer.
    case drop
    /// The events are stored, but the connection closes without an answer.
    case lose
    /// The events are stored, but the connection closes in the middle of the answer's body.
    case cut
    /// The right answer comes, with this pause before each byte of its body.
    case drip(Duration)
  }

  /// How the answer asks the client to wait (RFC 9110, section 10.2.3).
  public enum RetryAfter: Sendable, Hashable {
    /// `Retry-After: 120`
    case seconds(Int)
    /// `Retry-After: Fri, 31 Dec 1999 23:59:59 GMT`, this many seconds after the answer's own `Date`.
    case date(secondsFromNow: Int)
  }

  /// What happens.
  public var effect: Effect
  /// When it happens.
  public var trigger: Trigger
  /// The `Retry-After` field of an answer with a status.
  public var retryAfter: RetryAfter?
  /// Further header fields of an answer with a status, such as `Location`.
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

  /// Whether it must know what a batch holds.
  var readsEvents: Bool {
    switch effect {
    case .reject, .poison: true
    default: false
    }
  }
}

/// Picks events out of a batch.
public enum EventSelector: Sendable, Hashable {
  /// The event with this id.
  case id(EventID)
  /// Events of this name, or, with a `*` at the end, of a name that starts so.
  case name(String)
  /// Events whose payload has this key at the top.
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
