import DualSendCore
import Testing

@Suite("The seeded generator", .timeLimit(.minutes(5)))
struct SplitMix64Tests {
  @Test("gives the reference numbers of its algorithm")
  func referenceNumbers() {
    // From the test of SplitMix64 that Rosetta Code lists for seed 1234567.
    var random = SplitMix64(seed: 1_234_567)
    let numbers = (0..<3).map { _ in random.next() }
    #expect(numbers == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
  }

  @Test("stays below its bound and reaches every number below it", arguments: [1, 2, 7])
  func bounds(_ bound: Int) {
    var random = SplitMix64(seed: 1)
    #expect(Set((0..<200).map { _ in random.number(below: bound) }) == Set(0..<bound))
  }

  @Test("gives fractions from 0 up to, not with, 1")
  func fractions() {
    var random = SplitMix64(seed: 1)
    let fractions = (0..<1000).map { _ in random.fraction() }
    #expect(fractions.allSatisfy { (0..<1).contains($0) })
    #expect(fractions.contains { $0 < 0.1 } && fractions.contains { $0 > 0.9 })
  }
}
