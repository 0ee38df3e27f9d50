public import DualSendCore

/// An event as stored: one JSON object in the form of ``TrackingEndpoint/DualSendFormat``, whatever the endpoint's format.
///
/// That format sends the ``body`` as it is. Other formats need its parts. The id, the time and the name are stored beside it.
/// For the payload, the body's head is encoded again to find where it ends; ``payloadJSON`` copies the rest, and ``payload``
/// parses it, at each call.
public struct TrackingData: Sendable, Hashable {
  /// The store's number of the event, which defines the order and is unique; 0 before the event is stored.
  public package(set) var sequence: Int64
  /// The event's id.
  public let id: EventID
  /// The event's time, in milliseconds since 1970-01-01T00:00:00Z.
  public let time: Int64
  /// The event's name.
  public let name: String
  /// Where the body is.
  private let content: Content
  /// How many requests with this event failed.
  public let attempts: Int
  /// Whether the body is damaged; such an event is not sent.
  public internal(set) var isDamaged = false

  /// Creates an event that is not stored yet.
  public init(sequence: Int64 = 0, id: EventID, time: Int64, name: String, body: [UInt8], attempts: Int = 0) {
    self.init(sequence: sequence, id: id, time: time, name: name, content: .bytes(body), attempts: attempts)
  }

  init(sequence: Int64, id: EventID, time: Int64, name: String, content: Content, attempts: Int) {
    self.sequence = sequence
    self.id = id
    self.time = time
    self.name = name
    self.content = content
    self.attempts = attempts
  }

  /// The encoded event: one JSON object in UTF-8, in the form of ``TrackingEndpoint/DualSendFormat``. Empty if the body was lost to
  /// damage.
  public var body: [UInt8] {
    switch content {
    case .bytes(let bytes): bytes
    case .packed(let run, let index): run.body(index)
    case .lost: []
    }
  }
}

extension TrackingData {
  /// The body, or where it is.
  enum Content: Sendable {
    case bytes([UInt8])
    /// An event of a run, by its index.
    case packed(EventRun, Int)
    /// A body that cannot be read any more, and the bytes that it counts for.
    case lost(bytes: Int)
  }

  /// The number of the body's bytes. Does not decompress it.
  var bodyCount: Int {
    switch content {
    case .bytes(let bytes): bytes.count
    case .packed(let run, let index): run.bodyLength(index)
    case .lost(let bytes): bytes
    }
  }

  /// The bytes of memory for the body; in a run, its share of the compressed bytes.
  var heldBytes: Int {
    if case .packed(let run, _) = content { run.segment.bytes.count / run.count } else { bodyCount }
  }

  /// Throws if the event is in a run that cannot be decompressed.
  func checkReadable() throws(Zlib.Failure) {
    if case .packed(let run, _) = content { try run.checkReadable() }
  }

  /// The run that the event is in, and its index there.
  var place: (run: EventRun, index: Int)? {
    if case .packed(let run, let index) = content { (run, index) } else { nil }
  }

  /// The event without its body, which was lost to damage.
  ///
  /// - Parameter bytes: the bytes that the body counts for.
  func lost(bytes: Int) -> Self {
    var event = Self(
      sequence: sequence, id: id, time: time, name: name, content: .lost(bytes: bytes), attempts: attempts)
    event.isDamaged = true
    return event
  }

  /// Compares the values; how they are stored does not matter.
  public static func == (one: TrackingData, other: TrackingData) -> Bool {
    one.sequence == other.sequence && one.id == other.id && one.time == other.time && one.name == other.name
      && one.attempts == other.attempts && one.isDamaged == other.isDamaged && one.body == other.body
  }

  /// Hashes what identifies the event.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(sequence)
    hasher.combine(id)
  }
}

extension TrackingData {
  /// Encodes an event into its stored form.
  public init(_ event: TrackingEvent) {
    self.init(id: event.id, time: event.time, name: event.name, decision: event.decision) { $0.object(event.payload) }
  }

  /// Encodes an event whose payload is written by `payload`.
  init(
    id: EventID, time: Int64, name: String, decision: CarriedDecision? = nil,
    payload: (inout CanonicalJSONWriter) -> Void
  ) {
    var writer = CanonicalJSONWriter(capacity: 512)
    TrackingEvent.writeElement(id: id, time: time, name: name, decision: decision, to: &writer, payload: payload)
    self.init(id: id, time: time, name: name, body: writer.bytes)
  }
}

extension TrackingData {
  /// Whether a body is a JSON object, as all valid bodies are.
  static func isObject(_ body: some Sequence<UInt8>) -> Bool {
    if case .object? = try? JSONReader().value(body) { true } else { false }
  }
}

extension TrackerConfiguration {
  /// The limits of a store.
  public struct Quota: Sendable, Hashable {
    /// The most events.
    public var events: Int
    /// The most bytes, counted over the events' bodies.
    public var bytes: Int
    /// The greatest age. Measured by a clock that follows the process and adds at most a week between two launches, so
    /// that a change of the device's clock neither expires all events nor keeps them forever.
    public var age: Duration
    /// The most dead letters whose bodies are kept. Older ones, and those that are kept longer than ``age``, are only counted.
    public var deadLetters: Int

    /// Creates a quota; by default 100,000 events, 64 MiB, 30 days, 1,000 dead letters.
    public init(
      events: Int = 100_000, bytes: Int = 64 << 20, age: Duration = .seconds(30 * 86_400), deadLetters: Int = 1000
    ) {
      self.events = events
      self.bytes = bytes
      self.age = age
      self.deadLetters = deadLetters
    }
  }
}

// MARK: - Payload

extension TrackingData {
  /// The event's values. Reads the stored JSON each time.
  ///
  /// Dates are their JSON texts; other values are as sent. Empty if the body is not what ``init(_:)`` writes, or is
  /// deeper than 64 levels.
  public var payload: [String: EventValue] { readPayload() ?? [:] }

  /// The event's values as one JSON object, UTF-8.
  public var payloadJSON: [UInt8] {
    if let payload = payloadBytes { Array(payload) } else { EventValue.object(payload).canonicalJSON }
  }

  /// The decision for the event; `nil` if events carry none.
  public var decision: CarriedDecision? {
    let body = body
    let opening = Array("{\"decision\":\"".utf8)
    if body.starts(with: opening) {
      let text = body.dropFirst(opening.count).prefix { $0 != UInt8(ascii: "\"") }
      return CarriedDecision(String(decoding: text, as: UTF8.self))
    }
    // A body of this version without a decision starts with the id; other bodies are parsed.
    guard !body.starts(with: Array("{\"eventId\":".utf8)),
      case .object(let members)? = try? JSONReader().value(body), case .string(let text)? = members["decision"]
    else { return nil }
    return CarriedDecision(text)
  }

  /// ``payload``; `nil` if it cannot be read.
  package func readPayload() -> [String: EventValue]? {
    if let payloadBytes, case .object(let members)? = try? JSONReader().value(payloadBytes) { return members }
    guard case .object(let members)? = try? JSONReader().value(body), case .object(let payload)? = members["payload"]
    else { return nil }
    return payload
  }

  /// The bytes of the payload; `nil` if the body is not in the form that ``init(_:)`` writes.
  private var payloadBytes: ArraySlice<UInt8>? {
    var writer = CanonicalJSONWriter(capacity: 128)
    TrackingEvent.writeElement(id: id, time: time, name: name, decision: decision, to: &writer) { _ in }
    let head = writer.bytes.dropLast()
    let body = body
    guard body.last == UInt8(ascii: "}"), body.starts(with: head) else { return nil }
    let payload = body.dropFirst(head.count).dropLast()
    return payload.isOneObject ? payload : nil
  }
}

extension ArraySlice<UInt8> {
  /// Whether valid JSON text is a single object, from its first to its last byte.
  fileprivate var isOneObject: Bool {
    guard first == UInt8(ascii: "{") else { return false }
    var depth = 0
    var isText = false
    var isEscaped = false
    for (index, byte) in zip(indices, self) {
      if isEscaped {
        isEscaped = false
      } else if isText {
        isEscaped = byte == UInt8(ascii: "\\")
        isText = byte != UInt8(ascii: "\"")
      } else if byte == UInt8(ascii: "\"") {
        isText = true
      } else if byte == UInt8(ascii: "{") {
        depth += 1
      } else if byte == UInt8(ascii: "}") {
        depth -= 1
        if depth == 0 { return index == endIndex - 1 }
      }
    }
    return false
  }
}
