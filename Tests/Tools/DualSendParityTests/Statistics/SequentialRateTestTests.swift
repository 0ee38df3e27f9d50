import DualSendCore
import Foundation
import GuardSimulations
import Testing

@testable import DualSendParity

@Suite("Evidence that holds at every look", .timeLimit(.minutes(5)))
struct SequentialRateTestTests {
  /// The e-value by the rule of Simpson over the share's square root, where the weight of Jeffreys has no pole.
  private func integrated(_ failures: Int, _ trials: Int, bound: Double, passesWeight: Double, above: Bool) -> Double {
    func integral(_ value: (Double) -> Double) -> Double {
      let (low, high) = above ? (bound.squareRoot(), 1.0) : (0, bound.squareRoot())
      let parts = 20_000
      let width = (high - low) / Double(parts)
      return (0...parts).reduce(0) { sum, index in
        let root = low + Double(index) * width
        let weight: Double = index == 0 || index == parts ? 1 : index % 2 == 1 ? 4 : 2
        return sum + weight * value(root)
      } * width / 3
    }
    func prior(_ root: Double) -> Double { 2 * pow(1 - root * root, passesWeight - 1) }
    let ratio = integral { root in
      let share = root * root
      guard share < 1 else { return 0 }
      let logRatio =
        (failures == 0 ? 0 : Double(failures) * log(share / bound))
        + Double(trials - failures) * log((1 - share) / (1 - bound))
      return prior(root) * exp(logRatio)
    }
    return log(ratio / integral { $0 < 1 ? prior($0) : 0 })
  }

  @Test(
    "is the mixture of likelihood ratios, integrated numerically",
    arguments: [(0, 1), (0, 3_000), (1, 2_000), (7, 2_000), (40, 2_000), (3, 100)])
  func mixture(failures: Int, trials: Int) {
    let test = SequentialRateTest(bound: 0.002)
    let below = integrated(failures, trials, bound: 0.002, passesWeight: 0.5, above: false)
    #expect(abs(test.logEvidenceBelow(failures: failures, of: trials) - below) < 1e-6)
    let above = integrated(failures, trials, bound: 0.002, passesWeight: 25, above: true)
    #expect(abs(test.logEvidenceAbove(failures: failures, of: trials) - above) < 1e-6)
  }

  @Test("is nothing before the first trial, and stays a number for any count")
  func extremes() {
    for bound in [1e-6, 0.001, 0.5, 0.999] {
      let test = SequentialRateTest(bound: bound)
      #expect(abs(test.logEvidenceBelow(failures: 0, of: 0)) < 1e-9)
      #expect(abs(test.logEvidenceAbove(failures: 0, of: 0)) < 1e-9)
      for trials in [1, 1_000, 1_000_000_000] {
        for failures in [0, 1, trials / 2, trials] {
          #expect(test.logEvidenceBelow(failures: failures, of: trials).isFinite)
          #expect(test.logEvidenceAbove(failures: failures, of: trials).isFinite)
        }
      }
    }
  }

  @Test("its expectation is at most 1 for every rate that the hypothesis has", arguments: [1, 5, 40])
  func expectation(trials: Int) {
    let bound = 0.1
    let test = SequentialRateTest(bound: bound)
    func expectation(at rate: Double, _ evidence: (Int, Int) -> Double) -> Double {
      var chance = pow(1 - rate, Double(trials))
      return (0...trials).reduce(0) { sum, failures in
        defer { chance *= Double(trials - failures) / Double(failures + 1) * rate / (1 - rate) }
        return sum + chance * exp(evidence(failures, trials))
      }
    }
    for rate in [0.1, 0.11, 0.2, 0.5, 0.9] { #expect(expectation(at: rate, test.logEvidenceBelow) <= 1 + 1e-9) }
    for rate in [0.1, 0.09, 0.05, 0.001] { #expect(expectation(at: rate, test.logEvidenceAbove) <= 1 + 1e-9) }
    #expect(expectation(at: 0.01, test.logEvidenceBelow) > 1 && expectation(at: 0.3, test.logEvidenceAbove) > 1)
  }

  @Test("its limits are the last counts that the evidence allows", arguments: [100, 5_000, 200_000])
  func limits(trials: Int) {
    let test = SequentialRateTest(bound: 0.01)
    let level = log(20.0)
    if let most = test.mostFailuresShowingBelow(trials, level: level) {
      #expect(test.logEvidenceBelow(failures: most, of: trials) >= level)
      #expect(test.logEvidenceBelow(failures: most + 1, of: trials) < level)
    } else {
      #expect(trials < test.trialsNeeded(level: level))
    }
    if let fewest = test.fewestFailuresShowingAbove(trials, level: level) {
      #expect(test.logEvidenceAbove(failures: fewest, of: trials) >= level)
      #expect(test.logEvidenceAbove(failures: fewest - 1, of: trials) < level)
    }
  }

  @Test(
    "errs in at most the stated share of runs at the bound, looked at a hundred times, and finds what is far from it")
  func simulated() throws {
    let simulation = RateTestSimulation(SequentialRateTest(bound: 0.01), risk: 0.05, batch: 200, looks: 100)
    let atBound = simulation.run(600, share: 0.01, seed: 1)
    // 5 % of 600 are 30; a correct test exceeds 46 in fewer than one of a thousand seeds.
    #expect(atBound.below.count <= 46 && atBound.above.count <= 46)
    #expect(!atBound.below.isEmpty)
    let faulty = simulation.run(600, share: 0.05, seed: 2)
    #expect(faulty.above.count == 600 && faulty.below.isEmpty)
    #expect(try #require(faulty.trialsUntilAbove(in: 0.9)) <= 600)
    #expect(simulation.run(600, share: 0.002, seed: 3).below.count == 600)
  }

  @Test("draws have the mean and the spread of their distribution")
  func draws() {
    var draws = BinomialDraws(trials: 1_000, share: 0.02, seed: 7)
    let counts = (0..<20_000).map { _ in Double(draws.next()) }
    let mean = counts.reduce(0, +) / 20_000
    let spread = counts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 20_000
    #expect(abs(mean - 20) < 0.15 && abs(spread - 19.6) < 1)
  }
}
