/// Builds values without positions, for events, where speed matters.
enum EventValueBuilder: JSONBuilder {
  static func null(at _: Int) -> EventValue { .null }
  static func bool(_ value: Bool, at _: Int) -> EventValue { .bool(value) }
  static func string(_ text: String, at _: Int) -> EventValue { .string(text) }
  static func array(_ elements: [EventValue], at _: Int) -> EventValue { .array(elements) }
  static func object(_ members: [String: EventValue], at _: Int) -> EventValue { .object(members) }

  static func number(
    _ text: UnsafeBufferPointer<UInt8>, isInteger: Bool, at offset: Int
  ) throws(JSONError) -> EventValue {
    if isInteger, let integer = integer(text) { return integer }
    guard let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite else {
      throw JSONError(reason: .numberOutOfRange, offset: offset)
    }
    return .double(number)
  }

  static var noMembers: [String: EventValue] { [:] }

  static func add(
    _ key: String, at _: Int, _ value: EventValue, to members: inout [String: EventValue]
  ) -> String? {
    if members.updateValue(value, forKey: key) == nil { return nil }
    return members.index(forKey: key).map { members.keys[$0] }
  }

  /// The value of digits with an optional sign; `nil` if neither `Int64` nor `UInt64` holds it.
  static func integer(_ text: some Collection<UInt8>) -> EventValue? {
    let isNegative = text.first == UInt8(ascii: "-")
    var magnitude: UInt64 = 0
    for byte in text.dropFirst(isNegative ? 1 : 0) {
      let (scaled, scaleOverflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, sumOverflow) = scaled.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
      if scaleOverflow || sumOverflow { return nil }
      magnitude = sum
    }
    if !isNegative { return EventValue(magnitude) }
    return magnitude <= Int64.min.magnitude ? .int(Int64(truncatingIfNeeded: 0 &- magnitude)) : nil
  }
}
