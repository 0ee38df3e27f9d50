/// What a ``SequentialRateTest`` does in many runs that are looked at after every batch.
package struct RateTestSimulation: Sendable {
  /// After how many trials each run was first shown to be below, or above, the bound; only runs that were.
  package struct Outcome: Sendable, Hashable {
    package let runs: Int
    /// Sorted.
    package let below: [Int]
    /// Sorted.
    package let above: [Int]

    /// After how many trials a share of the runs was shown to be above the bound; `nil` if fewer runs were.
    package func trialsUntilAbove(in share: Double) -> Int? {
      let index = Int((share * Double(runs)).rounded(.up)) - 1
      return above.indices.contains(index) ? above[index] : nil
    }
  }

  package let batch: Int
  package let looks: Int
  /// For each look the most failures that show "below", and the fewest that show "above".
  private let limits: [(below: Int?, above: Int?)]

  /// - Parameters:
  ///   - risk: α of each direction.
  ///   - batch: how many trials there are from one look to the next.
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

  /// Makes runs whose trials fail with the chance `share`. A run goes on after one direction was shown, to see the other.
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
