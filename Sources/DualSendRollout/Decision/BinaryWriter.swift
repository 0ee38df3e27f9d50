/// Writes numbers, texts and lists in the form that ``BinaryReader`` reads.
struct BinaryWriter {
  private(set) var bytes: [UInt8] = []

  /// Writes an unsigned LEB128 number.
  mutating func write(_ number: UInt64) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

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

  /// Writes four bytes for each number, little-endian, so that the reader can copy them in one go.
  mutating func write(_ numbers: [Int32]) {
    write(count: numbers.count)
    numbers.map(\.littleEndian).withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  /// Appends the bytes of another writer.
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
