import DualSendCore

/// A JSON object without the members that have no value.
func object(_ members: [String: EventValue?]) -> EventValue {
  .object(members.compactMapValues { $0 })
}

extension EventValue {
  /// A text, if there is one.
  init?(_ text: String?) {
    guard let text else { return nil }
    self = .string(text)
  }

  /// Reads what a collector answered; anything that is no JSON object has no members.
  static func members(of response: HTTPTransportResponse) -> [String: EventValue] {
    if case .object(let members)? = try? JSONReader().value(response.body) { members } else { [:] }
  }

  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// A count, as JSON's number or as protobuf's text.
  var count: Int64? {
    switch self {
    case .int(let number): number
    case .string(let text): Int64(text)
    default: nil
    }
  }

  /// The members of an object; empty for other values.
  var members: [String: EventValue] {
    if case .object(let members) = self { members } else { [:] }
  }

  /// The places of a list that lie in a batch of so many events.
  func places(below count: Int) -> [Int] {
    guard case .array(let elements) = self else { return [] }
    return elements.compactMap { element in
      guard case .int(let number) = element, let place = Int(exactly: number), (0..<count).contains(place) else {
        return nil
      }
      return place
    }
  }
}

/// What opens a JSON object whose last member is a list that follows.
func listOpening(_ members: [String: EventValue], list: String) -> [UInt8] {
  var bytes = EventValue.object(members).canonicalJSON
  bytes.removeLast()
  if !members.isEmpty { bytes.append(UInt8(ascii: ",")) }
  return bytes + EventValue.string(list).canonicalJSON + Array(":[".utf8)
}
