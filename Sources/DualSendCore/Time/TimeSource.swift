package import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The clocks of a component, which tests can replace.
public struct TimeSource: Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z. Used to stamp events, never to measure time, because the user can change
  /// this clock.
  public let wallMilliseconds: @Sendable () -> Int64
  /// The time since a fixed moment of this boot. Never goes back; used for every wait.
  public let uptime: @Sendable () -> Duration
  /// Suspends for the given time. Throws `CancellationError` if the task is cancelled first.
  public let sleep: @Sendable (Duration) async throws -> Void
  /// Blocks the calling thread until this uptime, or until the group is empty.
  package let block: @Sendable (Duration, DispatchGroup) -> Void

  /// Creates a time source from three functions.
  public init(
    wallMilliseconds: @escaping @Sendable () -> Int64, uptime: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.init(wallMilliseconds: wallMilliseconds, uptime: uptime, sleep: sleep, block: nil)
  }

  /// - Parameter block: by default, waits for the rest of the time by the system's clock.
  package init(
    wallMilliseconds: @escaping @Sendable () -> Int64, uptime: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (Duration) async throws -> Void,
    block: (@Sendable (Duration, DispatchGroup) -> Void)?
  ) {
    self.wallMilliseconds = wallMilliseconds
    self.uptime = uptime
    self.sleep = sleep
    self.block = block ?? { end, group in _ = group.wait(timeout: .now() + max(0, (end - uptime()).inSeconds)) }
  }

  /// The device's clocks. Waits and uptime continue while the device sleeps.
  public static let system = TimeSource(
    wallMilliseconds: {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    },
    uptime: {
      var time = timespec()
      clock_gettime(bootClock, &time)
      return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    },
    sleep: { try await ContinuousClock().sleep(for: $0, tolerance: $0 / 10) }
  )

  /// The clock of `ContinuousClock`, which runs during sleep but does not expose its origin.
  #if canImport(Darwin)
    private static let bootClock = CLOCK_MONOTONIC
  #else
    private static let bootClock = CLOCK_BOOTTIME
  #endif
}

extension Duration {
  /// Whole milliseconds, rounded down; clamped to the range of `Int64`.
  package var inMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    if overflow { return seconds > 0 ? .max : .min }
    return product + attoseconds / 1_000_000_000_000_000
  }

  /// The time in seconds.
  package var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
