import Foundation

/// What some failures among independent trials say about the share of failures behind them.
///
/// The upper bound is Clopper and Pearson's ("The use of confidence or fiducial limits illustrated in the case of the
/// binomial", Biometrika 26, 1934), one-sided: where the true share is above it, so few failures had at most the chance
/// `risk`. It is exact for every number of trials and never too small.
package struct BinomialBound: Sendable, Hashable {
  /// The chance that the true share lies above the bound, above 0 and below 1.
  package let risk: Double

  package init(risk: Double) {
    self.risk = risk
  }

  /// The largest share that the trials do not contradict; 1 without trials, or if all failed.
  package func upper(failures: Int, of trials: Int) -> Double {
    guard trials > 0, failures < trials else { return 1 }
    // Bisection to the last bit: the chance falls steadily while the share rises.
    var low = Double(failures) / Double(trials)
    var high = 1.0
    while true {
      let middle = low + (high - low) / 2
      guard middle > low, middle < high else { return high }
      if Self.chance(ofAtMost: failures, of: trials, share: middle) > risk { low = middle } else { high = middle }
    }
  }

  /// Whether the bound is at most `share`.
  package func isAtMost(_ share: Double, failures: Int, of trials: Int) -> Bool {
    if share >= 1 { return true }
    guard share > 0, trials > 0, failures < trials else { return false }
    return Self.chance(ofAtMost: failures, of: trials, share: share) <= risk
  }

  /// How many trials it takes for so many failures to show that the share is at most `share`; `nil` for a share that no
  /// number of trials can show.
  package func trialsNeeded(failures: Int, share: Double) -> Int? {
    if share >= 1 { return max(failures, 1) }
    guard share > 0 else { return nil }
    var low = failures
    var high = max(2 * failures, 1)
    while !isAtMost(share, failures: failures, of: high) {
      low = high
      let (next, overflow) = high.multipliedReportingOverflow(by: 2)
      guard !overflow, next < Self.maximumTrials else { return nil }
      high = next
    }
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if isAtMost(share, failures: failures, of: middle) { high = middle } else { low = middle }
    }
    return high
  }

  private static let maximumTrials = 1 << 50

  /// The chance of at most so many failures, each trial failing with the chance `share`: DLMF 8.17.5.
  private static func chance(ofAtMost failures: Int, of trials: Int, share: Double) -> Double {
    RegularizedBeta(a: Double(trials - failures), b: Double(failures + 1)).value(at: 1 - share, complement: share)
  }
}
