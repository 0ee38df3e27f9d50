/// A deterministic random generator (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014),
/// for fixtures and fault scripts.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator.
  package init(seed: UInt64) {
    state = seed
  }

  /// The next 64 random bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// A number in 0..<1 with 53 random bits.
  package mutating func fraction() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// A number in `0..<bound`. Unlike `random(in:using:)`, the result is the same in every Swift version.
  package mutating func number(below bound: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
