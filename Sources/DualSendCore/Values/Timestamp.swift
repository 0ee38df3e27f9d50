package import struct Foundation.Date

/// Converts between milliseconds since 1970-01-01T00:00:00Z, `Date` and RFC 3339 text, independent of locale and
/// calendar.
package enum Timestamp {
  /// Rounds to the nearest millisecond. A date outside the range of `Int64` is clamped.
  package static func milliseconds(_ date: Date) -> Int64 {
    let value = (date.timeIntervalSince1970 * 1000).rounded()
    if let exact = Int64(exactly: value) { return exact }
    return value > 0 ? .max : .min
  }

  /// The date of a number of milliseconds since 1970-01-01T00:00:00Z.
  package static func date(milliseconds: Int64) -> Date {
    Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// Whether RFC 3339, whose years have four digits, can represent the time: 0000-01-01T00:00:00.000Z to
  /// 9999-12-31T23:59:59.999Z.
  package static func isWritable(milliseconds: Int64) -> Bool {
    (-62_167_219_200_000...253_402_300_799_999).contains(milliseconds)
  }

  /// Whether an event may have the time as a value. Many readers refuse the year 0, in which `Date.distantPast` lies.
  static func isLoggable(milliseconds: Int64) -> Bool {
    isWritable(milliseconds: milliseconds) && milliseconds >= -62_135_596_800_000
  }

  /// Formats a time as `2026-01-31T23:59:59.123Z`. Years outside 0…9999 have a sign or more digits.
  package static func text(milliseconds: Int64) -> String {
    let (day, millisecond) = milliseconds.flooredQuotientAndRemainder(dividingBy: 86_400_000)
    let (year, month, dayOfMonth) = civil(fromDay: day)
    let yearText = (0...9999).contains(year) ? padded(year, 4) : String(year)
    let time = [millisecond / 3_600_000, millisecond / 60_000 % 60, millisecond / 1000 % 60].map { padded($0, 2) }
    return yearText + "-" + padded(month, 2) + "-" + padded(dayOfMonth, 2)
      + "T" + time.joined(separator: ":") + "." + padded(millisecond % 1000, 3) + "Z"
  }

  /// Converts days to a proleptic Gregorian date (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
  private static func civil(fromDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = (day + 719_468).flooredQuotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = shiftedYear.flooredQuotientAndRemainder(dividingBy: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Reads RFC 3339 (`2026-01-31T23:59:59.5+09:00`). Cuts the fraction after the millisecond. `nil` for other text.
  package static func milliseconds(text: String) -> Int64? {
    var rest = Substring(text)
    func number(_ digits: Int, _ range: ClosedRange<Int64>) -> Int64? {
      let part = rest.prefix(digits)
      guard part.utf8.count == digits, part.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
      rest = rest.dropFirst(digits)
      return Int64(part).flatMap { range.contains($0) ? $0 : nil }
    }
    func mark(_ characters: String) -> Character? {
      guard let first = rest.first, characters.contains(first) else { return nil }
      rest = rest.dropFirst()
      return first
    }
    guard let year = number(4, 0...9999), mark("-") != nil, let month = number(2, 1...12), mark("-") != nil,
      let day = number(2, 1...31), civil(fromDay: days(year: year, month: month, day: day)) == (year, month, day),
      mark("Tt ") != nil, let hour = number(2, 0...23), mark(":") != nil, let minute = number(2, 0...59),
      mark(":") != nil, let second = number(2, 0...60)
    else { return nil }
    var millisecond: Int64 = 0
    if mark(".") != nil {
      let fraction = rest.prefix { $0.isASCII && $0.isNumber }
      guard !fraction.isEmpty else { return nil }
      millisecond = Int64(fraction.prefix(3).padding(to: 3)) ?? 0
      rest = rest.dropFirst(fraction.count)
    }
    guard let zone = mark("Zz+-") else { return nil }
    var offset: Int64 = 0
    if zone == "+" || zone == "-" {
      guard let hours = number(2, 0...23), mark(":") != nil, let minutes = number(2, 0...59) else { return nil }
      offset = (hours * 60 + minutes) * (zone == "+" ? 60_000 : -60_000)
    }
    guard rest.isEmpty else { return nil }
    let time = ((hour * 60 + minute) * 60 + second) * 1000 + millisecond
    return days(year: year, month: month, day: day) * 86_400_000 + time - offset
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension Int64 {
  fileprivate func flooredQuotientAndRemainder(dividingBy divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

extension Substring {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: "0", count: Swift.max(0, width - count))
  }
}
