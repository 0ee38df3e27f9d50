import DualSendCore

/// Values in OTLP's JSON form
enum OTLPValue {
  /// A list of keys and values, sorted by the keys' bytes.
  static func attributes(_ members: [String: EventValue]) -> EventValue {
    .array(
      members.filter { !$0.key.isEmpty }.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .map { ["key": .string($0.key), "value": any($0.value)] })
  }

  private static func any(_ value: EventValue) -> EventValue {
    switch value {
    case .null: [:]
    case .bool: ["boolValue": value]
    case .int(let number): ["intValue": .string(String(number))]
    case .uint(let number): ["stringValue": .string(String(number))]
    case .double: ["doubleValue": value]
    case .string: ["stringValue": value]
    case .array(let elements): ["arrayValue": ["values": .array(elements.map(any))]]
    case .object(let members): ["kvlistValue": ["values": attributes(members)]]
    case .date(let date): ["stringValue": .string(Timestamp.text(milliseconds: Timestamp.milliseconds(date)))]
    }
  }

  /// Nanoseconds since 1970, as a string; `nil` if OTLP's unsigned field cannot hold them.
  static func nanoseconds(_ milliseconds: Int64) -> EventValue? {
    guard let time = UInt64(exactly: milliseconds) else { return nil }
    let (nanoseconds, overflow) = time.multipliedReportingOverflow(by: 1_000_000)
    return overflow ? nil : .string(String(nanoseconds))
  }
}
