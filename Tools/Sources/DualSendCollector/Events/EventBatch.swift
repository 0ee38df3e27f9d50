package import DualSendCore

/// The events of one request's body.
package struct EventBatch {
  /// Why no event of a body could be read.
  package enum Unreadable: Error, Hashable {
    case unknownEncoding(String)
    case notCompressedAsSaid
    case tooLarge(limit: Int)
    case notJSON
    case notAnArray

    /// One factual line.
    package var description: String {
      switch self {
      case .unknownEncoding: "this content coding is not known"
      case .notCompressedAsSaid: "the body does not have its content coding"
      case .tooLarge(let limit): "the body is longer than \(limit) bytes"
      case .notJSON: "the body is not JSON"
      case .notAnArray: "the body is not an array"
      }
    }
  }

  /// The events that could be read, in the order of the body.
  package var events: [TrackingEvent] = []
  /// How many elements are not events.
  package var malformed = 0

  /// Reads a JSON array of `{"eventId","eventName","eventTime","payload"}`.
  package init(json bytes: [UInt8], limit: Int) throws(Unreadable) {
    guard let value = try? JSONReader(maximumBytes: limit).value(bytes) else { throw .notJSON }
    guard case .array(let elements) = value else { throw .notAnArray }
    events.reserveCapacity(elements.count)
    for element in elements {
      if let event = TrackingEvent(wireElement: element) { events.append(event) } else { malformed += 1 }
    }
  }

  /// The body as it was before its content coding (RFC 9110, section 8.4).
  package static func decoded(_ body: [UInt8], encoding: String?, limit: Int) throws(Unreadable) -> [UInt8] {
    switch encoding?.lowercased() {
    case nil, "", "identity": return body
    case "deflate", "gzip":
      do throws(Zlib.Failure) {
        return try Zlib.decompress(body, limit: limit)
      } catch {
        throw error == .corrupt ? .notCompressedAsSaid : .tooLarge(limit: limit)
      }
    case let encoding?: throw .unknownEncoding(encoding)
    }
  }
}

extension TrackingEvent {
  /// The event of a wire element; `nil` if a key is missing, strange or of the wrong type.
  init?(wireElement: EventValue) {
    guard case .object(let members) = wireElement, members.count == 4,
      case .string(let idText)? = members["eventId"], let id = EventID(idText),
      case .string(let name)? = members["eventName"], !name.isEmpty,
      case .int(let time)? = members["eventTime"],
      case .object(let payload)? = members["payload"]
    else { return nil }
    self.init(id: id, time: time, name: name, payload: payload)
  }
}
