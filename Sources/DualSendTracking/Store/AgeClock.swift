package import DualSendCore

/// A clock for the age of events that tolerates changes of the device's clock.
///
/// Within a process it follows the uptime, and between launches too, if that has grown. After a reboot it adds the difference of
/// the wall clock, from 0 to a week.
package struct AgeClock: Sendable {
  /// The most that is added between two launches.
  package static let maximumGap = Duration.seconds(7 * 86_400)

  /// The valid stored ages. More than 285,000 years is damage; within the range, sums cannot overflow.
  private static let range: ClosedRange<Int64> = 0...1 << 53

  private let time: TimeSource
  private let start: Int64
  private let uptimeAtStart: Duration

  /// Continues the clock of an earlier launch, or starts at 0.
  ///
  /// - Parameters:
  ///   - age: the clock's last value, in milliseconds.
  ///   - wall: the wall clock at that moment, in milliseconds since 1970.
  ///   - uptime: the uptime at that moment, in milliseconds.
  package init(time: TimeSource, age: Int64?, wall: Int64?, uptime: Int64? = nil) {
    self.time = time
    uptimeAtStart = time.uptime()
    var (gap, overflow) = wall.map { time.wallMilliseconds().subtractingReportingOverflow($0) } ?? (0, false)
    // The least that has passed, also after a reboot.
    if let uptime, uptime >= 0, uptime < uptimeAtStart.inMilliseconds {
      (gap, overflow) = (uptimeAtStart.inMilliseconds - uptime, false)
    } else {
      gap = min(gap, Self.maximumGap.inMilliseconds)
    }
    start = min(max(age ?? 0, Self.range.lowerBound), Self.range.upperBound) + (overflow ? 0 : max(gap, 0))
  }

  /// Milliseconds on this clock.
  package func now() -> Int64 {
    start + max(0, (time.uptime() - uptimeAtStart).inMilliseconds)
  }
}
