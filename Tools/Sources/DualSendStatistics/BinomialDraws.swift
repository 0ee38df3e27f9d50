import DualSendCore

/// Draws from a binomial distribution, the same for the same seed.
///
/// Looks up a uniform number in the cumulative distribution.
package struct BinomialDraws {
  private let cumulative: [Double]
  /// The first count with a cumulative probability of at least one half, where each lookup begins.
  private let median: Int
  private var random: SplitMix64

  package init(trials: Int, share: Double, seed: UInt64) {
    // p(k + 1) / p(k) = (n - k) / (k + 1) · s / (1 - s), from the mode on, so that nothing underflows that counts.
    let mode = min(Int(Double(trials + 1) * share), trials)
    var weights = [Double](repeating: 0, count: trials + 1)
    weights[mode] = 1
    let odds = share / (1 - share)
    for count in mode..<max(mode, trials) {
      weights[count + 1] = weights[count] * Double(trials - count) / Double(count + 1) * odds
    }
    for count in (0..<mode).reversed() {
      weights[count] = weights[count + 1] * Double(count + 1) / Double(trials - count) / odds
    }
    let total = weights.reduce(0, +)
    var sum = 0.0
    cumulative = weights.map { weight in
      sum += weight / total
      return sum
    }
    median = cumulative.firstIndex { $0 >= 0.5 } ?? trials
    random = SplitMix64(seed: seed)
  }

  /// The next number of failures.
  package mutating func next() -> Int {
    let uniform = random.fraction()
    var count = median
    while count > 0, cumulative[count - 1] > uniform { count -= 1 }
    while count < cumulative.count - 1, cumulative[count] <= uniform { count += 1 }
    return count
  }
}
