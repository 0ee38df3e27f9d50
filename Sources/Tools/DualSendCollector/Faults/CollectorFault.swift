package import DualSendCore

/// A fault of the collector, and when it occurs.
package struct CollectorFault: Sendable, Hashable {
  /// Which requests a fault affects.
  package enum Trigger: Sendable, Hashable {
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
  package enum Effect: Sendable, Hashable {
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
  package enum RetryAfter: Sendable, Hashable {
    /// `Retry-After: 120`
    case seconds(Int)
    /// `Retry-After: Fri, 31 Dec 1999 23:59:59 GMT`, this many seconds after the response's `Date`.
    case date(secondsFromNow: Int)
  }

  /// The effect.
  package var effect: Effect
  /// The trigger.
  package var trigger: Trigger
  /// The `Retry-After` field of a response with a status.
  package var retryAfter: RetryAfter?
  /// Further header fields of a response with a status, such as `Location`.
  package var headers: [String: String]

  /// Creates a fault.
  package init(
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
package enum EventSelector: Sendable, Hashable {
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

// MARK: - Text

extension CollectorFault {
  /// Why a text is not a fault.
  package struct SyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One factual line.
    package let description: String
  }

  /// The forms that ``init(_:)-(String)`` reads, one per line.
  package static let syntax = """
    503                     every response has this status
    503*3                   only the next 3 requests
    every=4:503             each 4th request
    p=0.3:503               each request with probability 0.3
    retry-after=2:429       with Retry-After in seconds
    retry-after-date=2:429  with Retry-After as a date
    limit=65536             413 above this many bytes
    poison=EVENT            400 for each batch with such an event
    status=422:poison=EVENT the same with another status
    reject=EVENT            only such events are rejected, as the format defines
    delay=0.5               the response is delayed by 0.5 s
    drip=0.01               the response's body is sent one byte each 0.01 s
    drop                    the connection is closed before anything is stored
    lose                    the connection is closed after the events are stored
    cut                     the connection is closed in the middle of the response
    EVENT is a name, a prefix with `*`, an id, or `@` with a key of the payload
    """

  /// Reads `[modifier:]… effect [*count]`, as described in ``syntax``.
  package init(_ text: String) throws(SyntaxError) {
    var parts = text.split(separator: ":", omittingEmptySubsequences: false)
    var effectText = parts.removeLast()
    var trigger = Trigger.always
    if let star = effectText.lastIndex(of: "*"), let count = Int(effectText[effectText.index(after: star)...]) {
      guard count > 0 else { throw Self.error("`*\(count)` affects no request", in: text) }
      trigger = .next(count)
      effectText = effectText[..<star]
    }
    var retryAfter: RetryAfter?
    var poisonStatus = 400
    for part in parts {
      let (word, value) = Self.assignment(part)
      switch (word, value) {
      case ("p", let value?): trigger = .random(try Self.number(value, in: 0...1, of: word, text))
      case ("every", let value?): trigger = .every(try Self.integer(value, in: 1...Int.max, of: word, text))
      case ("retry-after", let value?): retryAfter = .seconds(try Self.integer(value, in: 0...Int.max, of: word, text))
      case ("retry-after-date", let value?):
        retryAfter = .date(secondsFromNow: try Self.integer(value, in: 0...1_000_000_000, of: word, text))
      case ("status", let value?): poisonStatus = try Self.integer(value, in: 200...599, of: word, text)
      default: throw Self.unknown(word, among: ["p", "every", "retry-after", "retry-after-date", "status"], in: text)
      }
    }
    let effect = try Self.effect(effectText, poisonStatus: poisonStatus, in: text)
    self.init(effect, trigger, retryAfter: retryAfter)
  }

  private static func effect(
    _ part: Substring, poisonStatus: Int, in text: String
  ) throws(SyntaxError) -> Effect {
    let (word, value) = assignment(part)
    switch (word, value) {
    case ("drop", nil): return .drop
    case ("lose", nil): return .lose
    case ("cut", nil): return .cut
    case ("delay", let value?): return .delay(.seconds(try number(value, in: 0...86_400, of: word, text)))
    case ("drip", let value?): return .drip(.seconds(try number(value, in: 0...86_400, of: word, text)))
    case ("limit", let value?): return .limit(bytes: try integer(value, in: 0...Int.max, of: word, text))
    case ("reject", let value?) where !value.isEmpty: return .reject(selector(value))
    case ("poison", let value?) where !value.isEmpty: return .poison(selector(value), status: poisonStatus)
    case (let word, nil) where Int(word) != nil: return .status(try integer(part, in: 200...599, of: "status", text))
    default:
      let known = ["drop", "lose", "cut", "delay", "drip", "limit", "reject", "poison"]
      throw unknown(word, among: known, in: text)
    }
  }

  private static func assignment(_ part: Substring) -> (word: String, value: Substring?) {
    let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(halves[0]), halves.count == 2 ? halves[1] : nil)
  }

  private static func selector(_ text: Substring) -> EventSelector {
    if let id = EventID(text) { return .id(id) }
    return text.first == "@" ? .payloadKey(String(text.dropFirst())) : .name(String(text))
  }

  private static func integer(
    _ value: Substring, in range: ClosedRange<Int>, of word: String, _ text: String
  ) throws(SyntaxError) -> Int {
    guard let number = Int(value), range.contains(number) else {
      throw error("`\(word)` takes a whole number \(spelled(range)), not `\(value)`", in: text)
    }
    return number
  }

  private static func number(
    _ value: Substring, in range: ClosedRange<Double>, of word: String, _ text: String
  ) throws(SyntaxError) -> Double {
    guard let number = Double(value), range.contains(number) else {
      throw error("`\(word)` takes a number \(range.lowerBound)…\(range.upperBound), not `\(value)`", in: text)
    }
    return number
  }

  private static func spelled(_ range: ClosedRange<Int>) -> String {
    range.upperBound == .max ? "from \(range.lowerBound)" : "\(range.lowerBound)…\(range.upperBound)"
  }

  private static func unknown(_ word: String, among known: [String], in text: String) -> SyntaxError {
    let nearest = nearestWord(to: word, among: known).map { "did you mean `\($0)`?" }
    return error("unknown word `\(word)`; " + (nearest ?? "known words: \(known.joined(separator: ", "))"), in: text)
  }

  private static func error(_ what: String, in text: String) -> SyntaxError {
    SyntaxError(description: "`\(text)` is not a fault: \(what)")
  }
}
