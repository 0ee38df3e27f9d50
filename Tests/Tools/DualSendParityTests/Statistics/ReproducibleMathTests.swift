import DualSendCore
import Foundation
import Testing

@testable import DualSendParity

@Suite("Logarithm and exponential to the bit", .timeLimit(.minutes(5)))
struct ReproducibleMathTests {
  @Test("are within a few units in the last place of the system's, over all magnitudes")
  func nearTheSystem() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<100_000 {
      let number = Double(
        sign: .plus, exponent: Int.random(in: -1000...1000, using: &random),
        significand: Double.random(in: 1..<2, using: &random))
      let log = ReproducibleMath.log(number)
      #expect(abs(log - Foundation.log(number)) <= 2 * Foundation.log(number).ulp)
    }
    for _ in 0..<100_000 {
      let number = Double.random(in: -740...700, using: &random)
      let exp = Foundation.exp(number)
      #expect(abs(ReproducibleMath.exp(number) - exp) <= 4 * exp.ulp)
    }
  }

  @Test("are what they were: the same bits on every platform")
  func sameBits() {
    var random = SplitMix64(seed: 7)
    var digest: UInt64 = 0
    for _ in 0..<10_000 {
      let number = Double.random(in: 1e-12..<1e12, using: &random)
      for value in [ReproducibleMath.log(number), ReproducibleMath.exp(-number.squareRoot())] {
        digest = digest &* 31 &+ value.bitPattern
      }
    }
    #expect(digest == 5_455_168_023_540_280_214)
  }

  @Test("know the ends")
  func ends() {
    #expect(ReproducibleMath.log(1) == 0)
    #expect(ReproducibleMath.exp(0) == 1)
    #expect(ReproducibleMath.exp(-746) == 0)
    #expect(ReproducibleMath.exp(-.infinity) == 0)
    #expect(ReproducibleMath.exp(-744) > 0)
  }
}
