/// A fault of a request or of one of its events, with its place.
package struct RequestFault: Error, Sendable, Hashable {
  /// The kinds of faults that some vendors list separately.
  package enum Kind: Sendable, Hashable {
    case missing
    case invalid
    /// The id of a user or a device is too short.
    case idLength
  }

  /// The place, such as `batch[3].timestamp`, or a line and column if the body is not JSON.
  package let place: String
  /// The predicate, such as `is not a string`.
  package let reason: String
  package let kind: Kind
  /// The response's status if the request is refused for this fault.
  package let status: Int
  /// The index of the event; `nil` for the request itself.
  package var element: Int?
  /// The event's member, such as `timestamp`; empty for the event or the request itself.
  package var field = ""

  package init(_ place: String, _ reason: String, kind: Kind = .invalid, status: Int = 400) {
    (self.place, self.reason, self.kind, self.status) = (place, reason, kind, status)
  }

  /// One factual line.
  package var description: String { "\(place) \(reason)" }

  /// The fault, attributed to an event.
  func of(_ element: Int, at elementPlace: String) -> RequestFault {
    var fault = self
    fault.element = element
    fault.field = String(place.dropFirst(elementPlace.count + 1).prefix { $0 != "." && $0 != "[" })
    return fault
  }
}
