import DualSendCore
package import DualSendParity

/// Simulates a ``SequentialRateTest`` in many runs, with a look after each batch.
package struct RateTestSimulation: Sendable {
  /// The number of trials until each run was below, or above, the bound. Other runs are left out.
  package struct Outcome: Sendable, Hashable {
    package let runs: Int
    /// Sorted.
    package let below: [Int]
    /// Sorted.
    package let above: [Int]

    /// The number of trials until a share of the runs was above the bound; `nil` if fewer runs were.
    package func trialsUntilAbove(in share: Double) -> Int? {
      let index = Int((share * Double(runs)).rounded(.up)) - 1
      return above.indices.contains(index) ? above[index] : nil
    }
  }

  package let batch: Int
  package let looks: Int
  /// For each look, the largest count that shows "below", and the smallest that shows "above".
  private let limits: [(below: Int?, above: Int?)]

  /// - Parameters:
  ///   - risk: α of each direction.
  ///   - batch: the number of trials between two looks.
  package init(_ test: SequentialRateTest, risk: Double, batch: Int, looks: Int) {
    (self.batch, self.looks) = (batch, looks)
    let level = -ReproducibleMath.log(risk)
    limits = (1...looks).map { look in
      (
        test.mostFailuresShowingBelow(look * batch, level: level),
        test.fewestFailuresShowingAbove(look * batch, level: level)
      )
    }
  }

  /// Simulates runs whose trials fail with probability `share`. A run continues after one direction is shown.
  package func run(_ runs: Int, share: Double, seed: UInt64) -> Outcome {
    var draws = BinomialDraws(trials: batch, share: share, seed: seed)
    var (below, above): ([Int], [Int]) = ([], [])
    for _ in 0..<runs {
      var failures = 0
      var (isBelow, isAbove) = (false, false)
      for look in 1...looks where !(isBelow && isAbove) {
        failures += draws.next()
        let limit = limits[look - 1]
        if !isBelow, let most = limit.below, failures <= most {
          isBelow = true
          below.append(look * batch)
        }
        if !isAbove, let fewest = limit.above, failures >= fewest {
          isAbove = true
          above.append(look * batch)
        }
      }
    }
    return Outcome(runs: runs, below: below.sorted(), above: above.sorted())
  }
}

extension SequentialRateTest {
  /// The most failures among so many trials at which the evidence that the share is below the bound reaches a level; `nil`
  /// if not even none would do.
  ///
  /// - Parameter level: the logarithm of 1/α.
  package func mostFailuresShowingBelow(_ trials: Int, level: Double) -> Int? {
    guard logEvidenceBelow(failures: 0, of: trials) >= level else { return nil }
    // The evidence falls with each failure.
    var (low, high) = (0, trials + 1)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if logEvidenceBelow(failures: middle, of: trials) >= level { low = middle } else { high = middle }
    }
    return low
  }

  /// The fewest failures among so many trials at which the evidence that the share is above the bound reaches a level; `nil`
  /// if not even all would do.
  package func fewestFailuresShowingAbove(_ trials: Int, level: Double) -> Int? {
    guard logEvidenceAbove(failures: trials, of: trials) >= level else { return nil }
    var (low, high) = (-1, trials)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if logEvidenceAbove(failures: middle, of: trials) >= level { high = middle } else { low = middle }
    }
    return high
  }
}

// MARK: - Binomial draws

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
