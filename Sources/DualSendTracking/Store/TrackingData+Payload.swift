public import DualSendCore

extension TrackingData {
  /// The event's values. Reads the stored JSON each time.
  ///
  /// Dates are the texts that JSON has for them; numbers, integers and texts are what was sent. Empty if the body is not
  /// what ``init(_:)`` makes, or nested deeper than 64 levels.
  public var payload: [String: EventValue] { readPayload() ?? [:] }

  /// The event's values as one JSON object, UTF-8.
  public var payloadJSON: [UInt8] {
    if let payload = payloadBytes { Array(payload) } else { EventValue.object(payload).canonicalJSON }
  }

  /// What the app decided for the event; `nil` where events are not stamped. Reads the stored JSON each time.
  public var decision: DecisionStamp? {
    let opening = Array("{\"decision\":\"".utf8)
    if body.starts(with: opening) {
      let text = body.dropFirst(opening.count).prefix { $0 != UInt8(ascii: "\"") }
      return DecisionStamp(String(decoding: text, as: UTF8.self))
    }
    // A body that this version wrote without a stamp begins with its id; one from elsewhere is read whole.
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

  /// Where the payload stands in the body; `nil` if the body is not as ``init(_:)`` writes it.
  private var payloadBytes: ArraySlice<UInt8>? {
    var writer = CanonicalJSONWriter(capacity: 128)
    TrackingEvent.writeElement(id: id, time: time, name: name, decision: decision, to: &writer) { _ in }
    let head = writer.bytes.dropLast()
    guard body.last == UInt8(ascii: "}"), body.starts(with: head) else { return nil }
    let payload = body.dropFirst(head.count).dropLast()
    return payload.isOneObject ? payload : nil
  }
}

extension ArraySlice<UInt8> {
  /// Whether the braces of a JSON text that is known to be sound open at its start and close at its end.
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
