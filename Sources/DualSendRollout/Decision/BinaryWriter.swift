/// Writes numbers and texts one after the other, for ``BinaryReader``.
struct BinaryWriter {
  private(set) var bytes: [UInt8] = []

  /// Seven bits a byte, the lowest first; the top bit says that more follow (LEB128).
  mutating func write(_ number: UInt64) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// For counts, which are never negative.
  mutating func write(count: Int) {
    write(UInt64(max(0, count)))
  }

  mutating func write(_ block: [UInt8]) {
    write(count: block.count)
    bytes += block
  }

  mutating func write(_ text: String) {
    write(count: text.utf8.count)
    bytes += text.utf8
  }

  /// Four bytes a number, little-endian, so that they are read as memory.
  mutating func write(_ numbers: [Int32]) {
    write(count: numbers.count)
    numbers.map(\.littleEndian).withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  /// What another writer wrote, as if it had been written here.
  mutating func append(_ other: BinaryWriter) {
    bytes += other.bytes
  }

  mutating func write<Element>(
    list: some Collection<Element>, _ element: (inout BinaryWriter, Element) -> Void
  ) {
    write(count: list.count)
    for value in list { element(&self, value) }
  }
}
