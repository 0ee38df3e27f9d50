import DualSendParity

/// The exact binomial test of a planned number of trials, for one look.
struct FixedSampleTest {
  let bound: Double
  let risk: Double

  /// The smallest number of trials at which a share is found to be above the bound with at least the chance `power`. No
  /// other test of as many trials finds it with a greater chance (Neyman and Pearson, 1933).
  func trialsNeeded(share: Double, power: Double) -> Int {
    var (trials, fewest) = (1, 1)
    while true {
      while chance(ofAtLeast: fewest, of: trials, bound) > risk { fewest += 1 }
      if fewest <= trials, chance(ofAtLeast: fewest, of: trials, share) >= power { return trials }
      trials += 1
    }
  }

  /// The largest count at which the bound of Clopper and Pearson is within the bound; -1 if there is none.
  func mostFailuresShowingBelow(_ trials: Int) -> Int {
    let clopperPearson = BinomialBound(risk: risk)
    var (low, high) = (-1, trials)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if clopperPearson.isAtMost(bound, failures: middle, of: trials) { low = middle } else { high = middle }
    }
    return low
  }

  /// DLMF 8.17.5.
  private func chance(ofAtLeast failures: Int, of trials: Int, _ share: Double) -> Double {
    failures > trials
      ? 0
      : RegularizedBeta(a: Double(failures), b: Double(trials - failures + 1)).value(at: share, complement: 1 - share)
  }
}
