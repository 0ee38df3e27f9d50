import DualSendCore

/// A value of a request, with its place. Its readers throw a ``RequestFault`` with the place.
struct RequestValue {
  let value: EventValue
  let place: String

  /// A request's whole body.
  init(body: EventValue) {
    (value, place) = (body, "")
  }

  private init(_ value: EventValue, _ place: String) {
    (self.value, self.place) = (value, place)
  }

  func fault(_ reason: String, kind: RequestFault.Kind = .invalid, status: Int = 400) -> RequestFault {
    RequestFault(place.isEmpty ? "the body" : place, reason, kind: kind, status: status)
  }

  /// A member; `nil` if it is absent or null.
  func optional(_ key: String) throws(RequestFault) -> RequestValue? {
    guard let value = try members()[key], value != .null else { return nil }
    return RequestValue(value, path(to: key))
  }

  /// A required member that is not null.
  func required(_ key: String) throws(RequestFault) -> RequestValue {
    if let member = try optional(key) { return member }
    throw RequestFault(path(to: key), "is missing", kind: .missing)
  }

  func members() throws(RequestFault) -> [String: EventValue] {
    guard case .object(let members) = value else { throw fault("is not an object") }
    return members
  }

  /// Refuses members with other names.
  func allow(_ keys: Set<String>) throws(RequestFault) {
    guard let other = try members().keys.filter({ !keys.contains($0) }).min() else { return }
    throw RequestFault(path(to: other.printable(limit: 100)), "is not known here")
  }

  func elements() throws(RequestFault) -> [RequestValue] {
    guard case .array(let elements) = value else { throw fault("is not an array") }
    return elements.enumerated().map { RequestValue($0.element, "\(place)[\($0.offset)]") }
  }

  /// A string that is not empty.
  func text(limit: Int = .max) throws(RequestFault) -> String {
    guard case .string(let text) = value else { throw fault("is not a string") }
    if text.isEmpty { throw fault("is empty") }
    if text.isSlowToHash { throw fault("has more than \(String.maximumMarks) combining marks in a row") }
    if text.unicodeScalars.count > limit { throw fault("is longer than \(limit) characters") }
    return text
  }

  /// The first of some members that is a string and not empty.
  func firstText(of keys: String...) -> String? {
    guard case .object(let members) = value else { return nil }
    for key in keys {
      if case .string(let text)? = members[key], !text.isEmpty { return text }
    }
    return nil
  }

  func integer() throws(RequestFault) -> Int64 {
    guard case .int(let number) = value else { throw fault("is not an integer") }
    return number
  }

  /// An RFC 3339 time, in milliseconds since 1970.
  func time() throws(RequestFault) -> Int64 {
    guard let time = Timestamp.milliseconds(text: try text()) else { throw fault("is not an RFC 3339 time") }
    return time
  }

  private func path(to key: String) -> String {
    place.isEmpty ? key : "\(place).\(key)"
  }
}
