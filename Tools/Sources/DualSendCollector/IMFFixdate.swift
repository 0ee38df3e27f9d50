import DualSendCore

/// Writes the date form that HTTP servers send (RFC 9110, section 5.6.7).
enum IMFFixdate {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// `Sun, 06 Nov 1994 08:49:37 GMT`, for a time since 1970-01-01T00:00:00Z that is not negative.
  static func text(milliseconds: Int64) -> String {
    // 2026-01-31T23:59:59.123Z
    let words = Timestamp.text(milliseconds: milliseconds).split { "-T.".contains($0) }.map(String.init)
    // 1970-01-01 was a Thursday.
    let weekday = days[Int(milliseconds / 86_400_000 % 7)]
    let month = months[(Int(words[1]) ?? 1) - 1]
    return "\(weekday), \(words[2]) \(month) \(words[0]) \(words[3]) GMT"
  }
}
