/// A set of positions in a list of rules.
struct BitSet: Hashable {
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

  mutating func removeAll() {
    for index in words.indices { words[index] = 0 }
  }

  /// Calls the body with every position, lowest first, until it returns `false`.
  func forEach(_ body: (Int) -> Bool) {
    forEach(in: self, body)
  }

  /// Calls the body with every position that is also in another set, lowest first, until it returns `false`.
  @inline(__always)
  func forEach(in other: BitSet, _ body: (Int) -> Bool) {
    for index in words.indices {
      var rest = words[index] & other.words[index]
      while rest != 0 {
        guard body(index * 64 + rest.trailingZeroBitCount) else { return }
        rest &= rest - 1
      }
    }
  }
}
