/// Reads the `Retry-After` header field (RFC 9110, section 10.2.3).
package enum RetryAfter {
  /// The longest wait. Longer ones are shortened to this.
  package static let cap = Duration.seconds(3600)

  /// The wait that the response asks for, at most ``cap``; `nil` if the field is missing or malformed.
  ///
  /// A date is relative to the response's `Date` field, if present, so that a wrong device clock does not matter.
  ///
  /// - Parameter wallMilliseconds: the device's clock, used only if the response has no `Date`.
  package static func delay(in response: HTTPTransportResponse, wallMilliseconds: Int64) -> Duration? {
    guard let text = response.header("Retry-After")?.trimmingSpaces() else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) {
      return Int64(text).map { min(.seconds($0), cap) } ?? cap
    }
    guard let moment = HTTPDate.milliseconds(text) else { return nil }
    let now = response.header("Date").flatMap { HTTPDate.milliseconds($0) } ?? wallMilliseconds
    let (wait, overflow) = moment.subtractingReportingOverflow(now)
    if overflow { return now > 0 ? .zero : cap }
    return max(.zero, min(.milliseconds(wait), cap))
  }
}

/// Reads the three forms of an HTTP date (RFC 9110, section 5.6.7).
package enum HTTPDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Milliseconds since 1970-01-01T00:00:00Z; `nil` for other text.
  package static func milliseconds(_ text: String) -> Int64? {
    var words = text.split { " ,-".contains($0) }.dropFirst().map(String.init)
    // `Sun Nov  6 08:49:37 1994`: asctime's form, with the month first and no zone.
    if words.count == 4 { words = [words[1], words[0], words[3], words[2], "GMT"] }
    guard words.count == 5, words[4].uppercased() == "GMT", let day = Int(words[0]),
      let year = Int(words[2]).map(fullYear),
      let month = months.firstIndex(of: words[1].lowercased())
    else { return nil }
    let date = [pad(year, 4), pad(month + 1, 2), pad(day, 2)].joined(separator: "-")
    return Timestamp.milliseconds(text: date + "T" + words[3] + "Z")
  }

  /// A two-digit year lies in 1970…2069.
  private static func fullYear(_ year: Int) -> Int {
    year >= 100 ? year : (year >= 70 ? 1900 + year : 2000 + year)
  }

  private static func pad(_ number: Int, _ width: Int) -> String {
    String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
  }
}

extension String {
  fileprivate func trimmingSpaces() -> String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
