/// Reads the bytes of a ``BinaryWriter``. Damaged bytes throw; they never cause a read out of bounds.
struct BinaryReader {
  /// The bytes are damaged.
  struct Damage: Error {}

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { position == bytes.count }

  mutating func number() throws(Damage) -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while position < bytes.count, shift < 64 {
      let byte = bytes[position]
      position += 1
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
    throw Damage()
  }

  /// A number below the limit.
  mutating func number(below limit: Int) throws(Damage) -> Int {
    guard let number = Int(exactly: try number()), number < limit else { throw Damage() }
    return number
  }

  /// The number of elements that follow, at most as many as the remaining bytes can hold, so that a damaged count cannot
  /// cause a large allocation.
  ///
  /// - Parameter size: the least number of bytes of an element.
  mutating func count(ofSize size: Int = 1) throws(Damage) -> Int {
    let count = try number()
    guard count <= UInt64((bytes.count - position) / size) else { throw Damage() }
    return Int(count)
  }

  mutating func block() throws(Damage) -> [UInt8] {
    let count = try count()
    defer { position += count }
    return Array(bytes[position..<(position + count)])
  }

  mutating func text() throws(Damage) -> String {
    let count = try count()
    let part = position..<(position + count)
    position += count
    let text: String? = bytes.withUnsafeBufferPointer { bytes in
      let utf8 = UnsafeBufferPointer(rebasing: bytes[part])
      let text = String(decoding: utf8, as: UTF8.self)
      // Decoding replaces invalid UTF-8, so the result then differs from the bytes. ASCII needs no comparison.
      return utf8.allSatisfy { $0 < 0x80 } || text.utf8.elementsEqual(utf8) ? text : nil
    }
    guard let text else { throw Damage() }
    return text
  }

  mutating func numbers() throws(Damage) -> [Int32] {
    let count = try count(ofSize: 4)
    // The initializer below would write to the empty array that all threads share: a data race.
    guard count > 0 else { return [] }
    let part = position..<(position + 4 * count)
    position += 4 * count
    return bytes.withUnsafeBytes { bytes in
      [Int32](unsafeUninitializedCapacity: count) { numbers, initialized in
        UnsafeMutableRawBufferPointer(numbers).copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[part]))
        for index in numbers.indices { numbers[index] = Int32(littleEndian: numbers[index]) }
        initialized = count
      }
    }
  }

  mutating func list<Element>(
    _ element: (inout BinaryReader) throws(Damage) -> Element
  ) throws(Damage) -> [Element] {
    let count = try count()
    var list: [Element] = []
    // Bounds the allocation for a damaged count.
    list.reserveCapacity(min(count, 1024))
    for _ in 0..<count { list.append(try element(&self)) }
    return list
  }
}
