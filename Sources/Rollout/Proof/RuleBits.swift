/// A set of positions in a list of rules, as bits.
struct RuleBits: Hashable {
  private var words: [UInt64]

  init(none count: Int) {
    words = [UInt64](repeating: 0, count: (count + 63) / 64)
  }

  init(all count: Int) {
    words = [UInt64](repeating: .max, count: (count + 63) / 64)
    if count % 64 > 0 { words[words.count - 1] = (1 << (count % 64)) - 1 }
  }

  mutating func insert(_ position: Int) {
    words[position / 64] |= 1 << (position % 64)
  }

  mutating func remove(_ position: Int) {
    words[position / 64] &= ~(1 << (position % 64))
  }

  func intersection(_ other: RuleBits) -> RuleBits {
    var result = self
    for index in words.indices { result.words[index] &= other.words[index] }
    return result
  }

  /// Calls the body with every position, lowest first, until it returns `false`.
  func forEach(_ body: (Int) -> Bool) {
    for (index, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        guard body(index * 64 + rest.trailingZeroBitCount) else { return }
        rest &= rest - 1
      }
    }
  }
}
