import DualSendCore

/// A target type of a conversion.
///
/// | to | from | rule |
/// |---|---|---|
/// | string | bool, int, double, date | `true`/`false`; canonical JSON's digits; RFC 3339 in UTC with milliseconds |
/// | int | bool; double; string; date | 0/1; cut towards zero; a JSON number; milliseconds since 1970 |
/// | double | bool; int; string; date | 0/1; nearest double; a JSON number; milliseconds since 1970 |
/// | bool | int, double, string | 0 and 1; `0`, `1`, `true`, `false` in any ASCII case |
/// | date | int, double; string | milliseconds since 1970; RFC 3339 |
///
/// A conversion is lossy if it drops a fraction or changes a number's digits. All other values cannot be converted, such as
/// `"12 px"` to an int, 2 to a bool, the year 10000 to a date, or an array. `null` stays `null`.
public enum ValueType: String, Sendable, Hashable, CaseIterable {
  /// A text.
  case string
  /// A whole number.
  case int
  /// A floating-point number.
  case double
  /// `true` or `false`.
  case bool
  /// A point in time, an RFC 3339 text in JSON.
  case date

  /// A converted value.
  struct Converted: Equatable {
    let value: EventValue
    var isLossy = false
  }

  /// Converts a value to this type; `nil` if it cannot be converted.
  func convert(_ value: EventValue) -> Converted? {
    if value == .null || matches(value) { return Converted(value: value) }
    return switch self {
    case .string: text(of: value)
    case .int: number(of: value).flatMap { whole($0.value)?.lossy($0.isLossy) }
    case .double: number(of: value).flatMap { fractional($0.value).lossy($0.isLossy) }
    case .bool: truth(of: value)
    case .date: date(of: value)
    }
  }

  /// The value as a constant of this type in a table; `nil` if it is of another type. Integers serve as doubles,
  /// RFC 3339 texts as dates.
  func constant(_ value: EventValue) -> EventValue? {
    switch (self, value) {
    case (.double, .int), (.double, .uint):
      fractional(value).isLossy ? nil : fractional(value).value
    case (.date, .string(let text)): Timestamp.milliseconds(text: text).flatMap { date(milliseconds: $0) }?.value
    default: value == .null || matches(value) ? .some(value) : .none
    }
  }

  private func matches(_ value: EventValue) -> Bool {
    value.typeName == rawValue
  }

  private func text(of value: EventValue) -> Converted? {
    switch value {
    case .bool, .int, .uint, .double: Converted(value: .string(value.canonicalText))
    case .date(let date): Converted(value: .string(Timestamp.text(milliseconds: Timestamp.milliseconds(date))))
    case .null, .string, .array, .object: nil
    }
  }

  /// The number that a bool, a number, a date or a JSON number's text stands for.
  private func number(of value: EventValue) -> Converted? {
    switch value {
    case .bool(let flag): return Converted(value: .int(flag ? 1 : 0))
    case .int, .uint, .double: return Converted(value: value)
    case .date(let date): return Converted(value: .int(Timestamp.milliseconds(date)))
    case .string(let text):
      guard let first = text.utf8.first, first == UInt8(ascii: "-") || first &- UInt8(ascii: "0") < 10,
        text.utf8.last.map({ $0 &- UInt8(ascii: "0") < 10 }) == true
      else { return nil }
      var inexactNumbers = 0
      let number = try? JSONReader().value(text.utf8, countingInexact: &inexactNumbers)
      return number.map { Converted(value: $0, isLossy: inexactNumbers > 0) }
    case .null, .array, .object: return nil
    }
  }

  private func whole(_ number: EventValue) -> Converted? {
    guard case .double(let double) = number else { return Converted(value: number) }
    let cut = double.rounded(.towardZero)
    if cut.magnitude <= 0x1p53 {
      return Int64(exactly: cut).map { Converted(value: .int($0), isLossy: cut != double) }
    }
    // Such a double represents many integers. Its canonical text names one.
    guard let integer = try? JSONReader().value(number.canonicalJSON), integer.typeName == rawValue else { return nil }
    return Converted(value: integer)
  }

  private func fractional(_ number: EventValue) -> Converted {
    let double: EventValue
    switch number {
    case .int(let integer): double = .double(Double(integer))
    case .uint(let integer): double = .double(Double(integer))
    default: return Converted(value: number)
    }
    return Converted(value: double, isLossy: !double.isSameNumber(as: number))
  }

  private func truth(of value: EventValue) -> Converted? {
    switch value {
    case .int(0), .double(0): Converted(value: .bool(false))
    case .int(1), .double(1): Converted(value: .bool(true))
    case .string(let text):
      switch text.lowercased() {
      case "0", "false": Converted(value: .bool(false))
      case "1", "true": Converted(value: .bool(true))
      default: nil
      }
    default: nil
    }
  }

  private func date(of value: EventValue) -> Converted? {
    switch value {
    case .int(let milliseconds): return self.date(milliseconds: milliseconds)
    case .double(let number):
      let cut = number.rounded(.towardZero)
      return Int64(exactly: cut).flatMap { self.date(milliseconds: $0)?.lossy(cut != number) }
    case .string(let text): return Timestamp.milliseconds(text: text).flatMap { self.date(milliseconds: $0) }
    default: return nil
    }
  }

  private func date(milliseconds: Int64) -> Converted? {
    guard Timestamp.isWritable(milliseconds: milliseconds) else { return nil }
    return Converted(value: .date(Timestamp.date(milliseconds: milliseconds)))
  }
}

extension ValueType.Converted {
  /// The same value, lossy if this or an earlier conversion was.
  fileprivate func lossy(_ wasLossy: Bool) -> ValueType.Converted {
    ValueType.Converted(value: value, isLossy: isLossy || wasLossy)
  }
}
