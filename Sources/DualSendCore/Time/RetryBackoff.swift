/// How long to wait before the next attempt after a failure.
public struct RetryBackoff: Sendable, Hashable {
  /// The strategy.
  public enum Shape: Sendable, Hashable {
    /// A random time between 0 and the step, so that clients that failed together do not retry together (Marc Brooker,
    /// "Exponential Backoff And Jitter", 2015).
    case fullJitter
    /// The step itself: 2, 4, 8 s.
    case ladder
  }

  /// The strategy.
  public let shape: Shape
  /// The first step.
  public let base: Duration
  /// The longest step.
  public let cap: Duration
  /// The most automatic retries; `nil` for no limit.
  public let retryLimit: Int?

  /// Creates a back-off whose n-th step, counted from 0, is `min(cap, base · 2ⁿ)`.
  public init(shape: Shape, base: Duration, cap: Duration, retryLimit: Int? = nil) {
    self.shape = shape
    self.base = base
    self.cap = cap
    self.retryLimit = retryLimit
  }

  /// `rand(0, min(300 s, 2 s · 2ⁿ))`, without a limit of retries.
  public static let fullJitter = RetryBackoff(shape: .fullJitter, base: .seconds(2), cap: .seconds(300))

  /// 2, 4, 8 s, … without jitter, up to `retryLimit` automatic retries.
  public static func ladder(retryLimit: Int = 3) -> RetryBackoff {
    RetryBackoff(shape: .ladder, base: .seconds(2), cap: .seconds(300), retryLimit: retryLimit)
  }

  /// The wait after a failure; `nil` once the retries are used up.
  ///
  /// - Parameters:
  ///   - failures: the number of failures in a row, at least 1.
  ///   - fraction: returns a random number in 0…1. Called only for full jitter.
  public func delay(afterFailures failures: Int, fraction: () -> Double) -> Duration? {
    if let retryLimit, failures > retryLimit { return nil }
    // 2³⁰ · 1 ms is twelve days, beyond any cap, and the shift cannot overflow.
    let step = min(cap, base * (1 << min(max(failures, 1) - 1, 30)))
    return shape == .ladder ? step : step * min(max(fraction(), 0), 1)
  }
}
