import DualSendCommandLine
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
  /// Identifies the machine and its start; `nil` if the system does not tell.
  package let boot: String?

  package init(time: Int64, uptime: Int64, boot: String? = nil) {
    (self.time, self.uptime, self.boot) = (time, uptime, boot)
  }

  /// By how much the clock moved more than the machine since another reading, in milliseconds; `nil` within five minutes.
  ///
  /// After a start of the machine, and on another one, only a clock that went back is known to be wrong.
  func jump(since before: GuardMoment) -> Int64? {
    let isSameStart = uptime >= before.uptime && boot == before.boot
    let passed = isSameStart ? uptime - before.uptime : max(0, time - before.time)
    let jump = time - before.time - passed
    return abs(jump) > Self.tolerance ? jump : nil
  }

  /// A time in hours, or in minutes if it is none.
  static func text(_ milliseconds: Int64) -> String {
    let hours = milliseconds / 3_600_000
    return hours > 0 ? hours.counted("hour") : (milliseconds / 60_000).counted("minute")
  }
}

extension GuardMoment {
  var json: EventValue {
    ["time": .int(time), "uptime": .int(uptime), "boot": boot.map { .string($0) } ?? .null]
  }

  /// - Returns: `nil` for anything but what ``json`` makes.
  init?(_ value: EventValue) {
    guard let time = value["time"]?.number, let uptime = value["uptime"]?.number, min(time, uptime) >= 0,
      max(time, uptime) < 1 << 53
    else { return nil }
    self.init(time: time, uptime: uptime, boot: value["boot"]?.text)
  }
}
