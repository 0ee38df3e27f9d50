public import DualSendCore

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

  /// The decision for the event; `nil` if events are not stamped.
  public var decision: DecisionStamp? {
    let body = body
    let opening = Array("{\"decision\":\"".utf8)
    if body.starts(with: opening) {
      let text = body.dropFirst(opening.count).prefix { $0 != UInt8(ascii: "\"") }
      return DecisionStamp(String(decoding: text, as: UTF8.self))
    }
    // A body of this version without a stamp starts with the id; other bodies are parsed.
    guard !body.starts(with: Array("{\"eventId\":".utf8)),
      case .object(let members)? = try? JSONReader().value(body), case .string(let text)? = members["decision"]
    else { return nil }
    return DecisionStamp(text)
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
