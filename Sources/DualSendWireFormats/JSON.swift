import DualSendCore

/// A JSON object of the members that have a value.
func object(_ members: [String: EventValue?]) -> EventValue {
  .object(members.compactMapValues { $0 })
}

extension EventValue {
  init?(_ text: String?) {
    guard let text else { return nil }
    self = .string(text)
  }

  /// The members of a response's JSON object; empty for any other body.
  static func members(of response: HTTPTransportResponse) -> [String: EventValue] {
    if case .object(let members)? = try? JSONReader().value(response.body) { members } else { [:] }
  }

  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// An integer, as a JSON number or in protobuf's string form.
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

  /// The positions in a list that are valid for a batch of this size.
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

/// The start of a JSON object whose last member is a list.
func listOpening(_ members: [String: EventValue], list: String) -> [UInt8] {
  var bytes = EventValue.object(members).canonicalJSON
  bytes.removeLast()
  if !members.isEmpty { bytes.append(UInt8(ascii: ",")) }
  return bytes + EventValue.string(list).canonicalJSON + Array(":[".utf8)
}
