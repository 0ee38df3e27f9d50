/// A random generator whose numbers depend on nothing but its seed (Steele, Lea and Flood, "Fast Splittable Pseudorandom
/// Number Generators", 2014), so that a slow case can be looked at again.
struct SeededGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// A number in `0..<bound`.
  mutating func number(below bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ mixed >> 31).multipliedFullWidth(by: UInt64(bound)).high)
  }
}
