/// A test of whether a share of failures is below or above a bound, valid at every look.
///
/// The evidence is an e-value: a quantity that is never negative and whose expectation is at most 1, at every stopping time,
/// if the hypothesis is true. The chance that it ever reaches 1/α is then at most α (Ville, "Étude critique de la notion de
/// collectif", 1939), however often and by whatever plan it is looked at. Robbins built tests from mixtures of likelihood
/// ratios ("Statistical methods related to the law of the iterated logarithm", Ann. Math. Statist. 41, 1970); see also
/// Howard, Ramdas, McAuliffe and Sekhon ("Time-uniform, nonparametric, nonasymptotic confidence sequences", Ann. Statist.
/// 49(2), 2021).
///
/// The mixture is over Beta distributions, truncated at the bound p₀. For p < p₀, one trial multiplies the likelihood ratio
/// by p/p₀ if it fails and by (1 - p)/(1 - p₀) if not. The first factor is below 1 and the second above, so the expected
/// factor falls while the true rate rises, and is 1 at a rate of p₀: for every rate of at least p₀ it is at most 1. The ratio
/// is a supermartingale under the whole hypothesis "at least p₀", and also if the rate changes with time but never falls
/// below p₀; a mixture of such ratios is one too. The other direction is the mirror image.
///
/// Assumes that one failure does not cause the next.
package struct SequentialRateTest: Sendable, Hashable {
  /// The bound of the share, above 0 and below 1.
  package let bound: Double
  /// The logarithms of the weights that the truncated distributions have before the first trial.
  private let start: (below: Double, above: Double)

  package init(bound: Double) {
    self.bound = bound
    start = (
      RegularizedBeta(a: Self.half, b: Self.half).logScaled(at: bound, complement: 1 - bound),
      RegularizedBeta(a: Self.spread(bound), b: Self.half).logScaled(at: 1 - bound, complement: bound)
    )
  }

  /// The logarithm of the e-value against "the share is at least the bound".
  package func logEvidenceBelow(failures: Int, of trials: Int) -> Double {
    let (failures, passes) = (Double(failures), Double(trials - failures))
    return RegularizedBeta(a: failures + Self.half, b: passes + Self.half).logScaled(at: bound, complement: 1 - bound)
      - start.below
  }

  /// The logarithm of the e-value against "the share is at most the bound".
  package func logEvidenceAbove(failures: Int, of trials: Int) -> Double {
    let (failures, passes) = (Double(failures), Double(trials - failures))
    return RegularizedBeta(a: passes + Self.spread(bound), b: failures + Self.half)
      .logScaled(at: 1 - bound, complement: bound) - start.above
  }

  /// Jeffreys' weight, which puts more of the mixture near a share of 0.
  private static let half = 0.5

  /// Puts the mean of the shares above the bound near ten times the bound: faults are seldom larger by orders of
  /// magnitude, and those that are need few trials in any case.
  private static func spread(_ bound: Double) -> Double { max(half, 1 / (20 * bound)) }

  package static func == (left: SequentialRateTest, right: SequentialRateTest) -> Bool { left.bound == right.bound }

  package func hash(into hasher: inout Hasher) { hasher.combine(bound) }
}

extension SequentialRateTest {
  /// The number of trials without a failure that shows a share below the bound.
  package func trialsNeeded(level: Double) -> Int {
    var (low, high) = (0, 1)
    while logEvidenceBelow(failures: 0, of: high) < level { (low, high) = (high, 2 * high) }
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if logEvidenceBelow(failures: 0, of: middle) >= level { high = middle } else { low = middle }
    }
    return high
  }
}
