import DualSendCore

/// A reading of the clock, and of how long the machine runs.
package struct GuardMoment: Sendable, Hashable {
  /// The longest difference that is not a jump, in milliseconds: a clock that is set right by its time server.
  private static let tolerance: Int64 = 300_000

  /// In milliseconds since 1970-01-01T00:00:00Z.
  package let time: Int64
  /// The time since the machine started, with sleep, in milliseconds; a smaller one than before means that it started
  /// anew.
  package let uptime: Int64

  package init(time: Int64, uptime: Int64) {
    (self.time, self.uptime) = (time, uptime)
  }

  /// By how much the clock moved more than the machine since another reading, in milliseconds; `nil` within five minutes.
  ///
  /// After a start of the machine, only a clock that went back is known to be wrong.
  func jump(since before: GuardMoment) -> Int64? {
    let passed = uptime >= before.uptime ? uptime - before.uptime : max(0, time - before.time)
    let jump = time - before.time - passed
    return abs(jump) > Self.tolerance ? jump : nil
  }
}

extension GuardMoment {
  /// - Returns: `nil` for anything but what a state holds.
  init?(_ value: EventValue) {
    guard case .object(let members) = value, case .int(let time)? = members["time"],
      case .int(let uptime)? = members["uptime"], min(time, uptime) >= 0, max(time, uptime) < 1 << 53
    else { return nil }
    self.init(time: time, uptime: uptime)
  }
}
