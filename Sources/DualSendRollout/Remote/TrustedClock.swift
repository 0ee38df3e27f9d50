import DualSendCore

/// The time by the server's clock: what its last answer said, plus the time that has passed since.
///
/// The device's own clock is the user's to set, so no schedule is read by it. This clock may be late, by an answer's way
/// or by the time that an app was not running before its next fetch, but never early.
struct TrustedClock: Sendable {
  /// Answers that differ by less are the same clock seen through different caches, so time does not go back for them.
  /// Beyond that, a clock was corrected.
  private static let tolerance: Int64 = 300_000

  private var anchor: (milliseconds: Int64, uptime: Duration)?

  /// Milliseconds since 1970-01-01T00:00:00Z; `nil` before the first answer.
  func milliseconds(at uptime: Duration) -> Int64? {
    anchor.map { $0.milliseconds + max(.zero, uptime - $0.uptime).inMilliseconds }
  }

  /// Goes on from a time that was trusted in an earlier run.
  mutating func resume(_ milliseconds: Int64, at uptime: Duration) {
    anchor = (milliseconds, uptime)
  }

  /// Takes the time from an answer that arrives now.
  mutating func update(from response: HTTPTransportResponse, at uptime: Duration) {
    guard let date = response.header("Date").flatMap({ HTTPDate.milliseconds($0) }) else { return }
    // A shared cache hands on the `Date` of the server behind it, and says how long ago that was (RFC 9111, 4.2.3).
    let age = response.header("Age").flatMap { Int64($0) }.map { min(max($0, 0), 31_536_000) * 1000 } ?? 0
    let heard = date + age
    if let known = milliseconds(at: uptime), heard < known, known - heard < Self.tolerance { return }
    anchor = (heard, uptime)
  }
}
