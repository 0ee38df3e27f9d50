import DualSendCore

/// The server's time: the `Date` of its last response plus the uptime since.
///
/// Schedules use it because users can set the device's clock. It can be late by the response's latency, or by the time
/// between two launches until the next fetch. It is never early.
struct TrustedClock: Sendable {
  /// The clock goes back only by more than this: smaller differences come from caches, larger ones from a corrected clock.
  private static let tolerance: Int64 = 300_000

  private var anchor: (milliseconds: Int64, uptime: Duration)?

  /// Milliseconds since 1970-01-01T00:00:00Z; `nil` before the first response.
  func milliseconds(at uptime: Duration) -> Int64? {
    anchor.map { $0.milliseconds + max(.zero, uptime - $0.uptime).inMilliseconds }
  }

  /// Restores the trusted time of an earlier launch.
  mutating func resume(_ milliseconds: Int64, at uptime: Duration) {
    anchor = (milliseconds, uptime)
  }

  /// Sets the clock from a response that arrives now.
  mutating func update(from response: HTTPTransportResponse, at uptime: Duration) {
    guard let date = response.header("Date").flatMap({ HTTPDate.milliseconds($0) }) else { return }
    // A shared cache forwards the origin's `Date` and adds an `Age` (RFC 9111, 4.2.3).
    let age = response.header("Age").flatMap { Int64($0) }.map { min(max($0, 0), 31_536_000) * 1000 } ?? 0
    let heard = date + age
    if let known = milliseconds(at: uptime), heard < known, known - heard < Self.tolerance { return }
    anchor = (heard, uptime)
  }
}
