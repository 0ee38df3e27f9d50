/// What is wrong with a request or with one of its events, and where.
package struct RequestFault: Error, Sendable, Hashable {
  /// How a member fails; vendors that list events by fault tell these apart.
  package enum Kind: Sendable, Hashable {
    case missing
    case invalid
    /// An id of a user or a device that is too short.
    case idLength
  }

  /// Such as `batch[3].timestamp`, or `byte 17` of a body that is not JSON.
  package let place: String
  /// Such as `is not a string`.
  package let reason: String
  package let kind: Kind
  /// The status of the answer if the request is refused for this.
  package let status: Int
  /// Which event of the batch, from 0; `nil` for the request itself.
  package var element: Int?
  /// The event's member, such as `timestamp`; empty for the event or the request itself.
  package var field = ""

  package init(_ place: String, _ reason: String, kind: Kind = .invalid, status: Int = 400) {
    (self.place, self.reason, self.kind, self.status) = (place, reason, kind, status)
  }

  /// One factual line.
  package var description: String { "\(place) \(reason)" }

  /// The fault as one of this event.
  func of(_ element: Int, at elementPlace: String) -> RequestFault {
    var fault = self
    fault.element = element
    fault.field = String(place.dropFirst(elementPlace.count + 1).prefix { $0 != "." && $0 != "[" })
    return fault
  }
}
