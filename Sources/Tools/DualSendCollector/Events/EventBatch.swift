import DualSendCommandLine
package import DualSendCore

/// The events in the body of one request.
package struct EventBatch {
  /// The readable events, in order.
  package private(set) var events: [TrackingEvent] = []
  /// The faults of the other elements.
  package private(set) var faults: [RequestFault] = []
  /// The place of each event in the body.
  private(set) var places: [String] = []

  /// The number of elements that are not events.
  package var malformed: Int { faults.count }

  /// Reads a body in its format.
  ///
  /// - Parameter limit: the largest body, in bytes.
  package init(
    _ bytes: [UInt8], _ head: RequestHead = RequestHead(), format: CollectorFormat = .dualsend, limit: Int
  ) throws(RequestFault) {
    let server = format.server
    if !server.mediaTypes.isEmpty, !server.mediaTypes.contains(head.mediaType ?? "") {
      let expected = server.mediaTypes.sorted().joined(separator: " or ")
      throw RequestFault("Content-Type", "is not \(expected)", status: 415)
    }
    if bytes.count > server.limits.bytes {
      throw RequestFault("the body", "is longer than \(server.limits.bytes) bytes", status: server.limits.status)
    }
    let body = RequestValue(body: try Self.value(bytes, limit: limit))
    try server.checkRequest(body, head)
    let elements = try server.elements(of: body)
    if elements.count > server.limits.events {
      throw RequestFault(
        "the body", "has more than \(server.limits.events.counted("event"))", status: server.limits.status)
    }
    events.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      do throws(RequestFault) {
        if server.limits.eventBytes < .max, element.value.canonicalJSON.count > server.limits.eventBytes {
          throw element.fault("is longer than \(server.limits.eventBytes) bytes", status: server.limits.status)
        }
        events.append(try server.receivedEvent(element, in: body))
        places.append(element.place)
      } catch {
        faults.append(error.of(index, at: element.place))
      }
    }
  }

  static func value(_ bytes: [UInt8], limit: Int) throws(RequestFault) -> EventValue {
    do {
      return try JSONReader(maximumBytes: limit).value(bytes)
    } catch {
      let place = SourceText(bytes, name: nil).position(at: error.offset)
      throw RequestFault(
        "line \(place.line), column \(place.column)", "is not JSON: \(error.description.printable(limit: 200))")
    }
  }

  /// Decodes the body's content coding (RFC 9110, section 8.4).
  package static func decoded(_ body: [UInt8], encoding: String?, limit: Int) throws(RequestFault) -> [UInt8] {
    switch encoding?.lowercased() {
    case nil, "", "identity": return body
    case "deflate", "gzip":
      do throws(Zlib.Failure) {
        return try Zlib.decompress(body, limit: limit)
      } catch {
        throw error == .corrupt
          ? RequestFault("the body", "does not have its content coding")
          : RequestFault("the body", "is longer than \(limit) bytes", status: 413)
      }
    default: throw RequestFault("Content-Encoding", "is not known", status: 415)
    }
  }
}

extension TrackingEvent {
  /// The event of a wire element; `nil` if a key is missing, unknown or of the wrong type.
  package init?(wireElement: EventValue) {
    guard case .object(var members) = wireElement else { return nil }
    var decision: CarriedDecision?
    if let value = members.removeValue(forKey: "decision") {
      guard case .string(let text) = value, let read = CarriedDecision(text) else { return nil }
      decision = read
    }
    guard members.count == 4,
      case .string(let idText)? = members["eventId"], let id = EventID(idText),
      case .string(let name)? = members["eventName"], !name.isEmpty,
      case .int(let time)? = members["eventTime"],
      case .object(let payload)? = members["payload"]
    else { return nil }
    self.init(id: id, time: time, name: name, payload: payload, decision: decision)
  }
}

/// Finds the ids in a batch of the tracker's own format without building values, for benchmarks.
///
/// Checks the framing, and that each element starts with its id. Leaves every other form to ``EventBatch``.
struct EventIDScanner {
  /// The ids in order; `nil` if the body is not in this form.
  static func ids(in body: [UInt8]) -> [EventID]? {
    body.withUnsafeBufferPointer { bytes in
      var elements = JSONScanner(bytes: bytes, range: 0..<bytes.count)
      guard elements.openArray() else { return nil }
      var ids: [EventID] = []
      while let element = elements.nextElement() {
        var members = JSONScanner(bytes: bytes, range: element)
        guard members.openObject(), let first = members.nextMember(), bytes[first.key].elementsEqual("eventId".utf8),
          bytes[first.value.lowerBound] == UInt8(ascii: "\""),
          let id = EventID(utf8: UnsafeBufferPointer(rebasing: bytes[first.value].dropFirst().dropLast()))
        else { return nil }
        ids.append(id)
      }
      return elements.isComplete ? ids : nil
    }
  }
}
