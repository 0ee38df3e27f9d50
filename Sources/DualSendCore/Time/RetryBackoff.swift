/// How long to wait before the next attempt after a failure.
public struct RetryBackoff: Sendable, Hashable {
  /// The shape of the waits.
  public enum Shape: Sendable, Hashable {
    /// A random time between nothing and the step: many clients that failed together do not come back together
    /// (Marc Brooker, "Exponential RetryBackoff And Jitter", 2015).
    case fullJitter
    /// The step itself: 2, 4, 8 s.
    case ladder
  }

  /// The shape of the waits.
  public let shape: Shape
  /// The first step.
  public let base: Duration
  /// No step is longer than this.
  public let cap: Duration
  /// After this many retries none follows by itself; `nil` for no limit.
  public let retryLimit: Int?

  /// Creates a rule whose n-th step, counted from 0, is `min(cap, base · 2ⁿ)`.
  public init(shape: Shape, base: Duration, cap: Duration, retryLimit: Int? = nil) {
    self.shape = shape
    self.base = base
    self.cap = cap
    self.retryLimit = retryLimit
  }

  /// `rand(0, min(300 s, 2 s · 2ⁿ))`, without end.
  public static let fullJitter = RetryBackoff(shape: .fullJitter, base: .seconds(2), cap: .seconds(300))

  /// 2, 4, 8 s, … without jitter, then no further retry by itself.
  public static func ladder(retryLimit: Int = 3) -> RetryBackoff {
    RetryBackoff(shape: .ladder, base: .seconds(2), cap: .seconds(300), retryLimit: retryLimit)
  }

  /// The wait after a failure; `nil` once the retries are used up.
  ///
  /// - Parameters:
  ///   - failures: how many attempts in a row have failed, at least 1.
  ///   - fraction: a random number in 0…1, asked for only where the shape has jitter.
  public func delay(afterFailures failures: Int, fraction: () -> Double) -> Duration? {
    if let retryLimit, failures > retryLimit { return nil }
    // 2³⁰ · 1 ms is twelve days: no cap lies beyond, and the shift cannot overflow.
    let step = min(cap, base * (1 << min(max(failures, 1) - 1, 30)))
    return shape == .ladder ? step : step * min(max(fraction(), 0), 1)
  }
}
