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
