package import DualSendCore

/// The events of one request's body.
package struct EventBatch {
  /// The events that could be read, in the order of the body.
  package private(set) var events: [TrackingEvent] = []
  /// What is wrong with the other elements.
  package private(set) var faults: [RequestFault] = []
  /// Where each event stands in the body.
  private(set) var places: [String] = []

  /// How many elements are not events.
  package var malformed: Int { faults.count }

  /// Reads a body as the server of its format does.
  ///
  /// - Parameter limit: the longest body, in bytes.
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
    let elements = try server.elements(of: body, head)
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
        events.append(try server.stampedEvent(element, in: body))
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

  /// The body as it was before its content coding (RFC 9110, section 8.4).
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
  /// The event of a wire element; `nil` if a key is missing, strange or of the wrong type.
  init?(wireElement: EventValue) {
    guard case .object(var members) = wireElement else { return nil }
    var decision: DecisionStamp?
    if let stamp = members.removeValue(forKey: "decision") {
      guard case .string(let text) = stamp, let read = DecisionStamp(text) else { return nil }
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
