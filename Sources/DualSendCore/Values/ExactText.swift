/// A text that is compared by its UTF-8 bytes, such as a unit ID, whose bytes determine its bucket.
package struct ExactText: Hashable, Sendable {
  /// The text itself.
  package let text: String

  /// Wraps a text.
  package init(_ text: String) {
    self.text = text
  }

  /// Compares the UTF-8 bytes.
  package static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.isExactly(right.text)
  }

  /// Hashes the UTF-8 bytes.
  package func hash(into hasher: inout Hasher) {
    var copy = text
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension ExactText: Comparable, CustomStringConvertible {
  /// The text itself.
  package var description: String { text }

  /// Orders by the UTF-8 bytes.
  package static func < (left: ExactText, right: ExactText) -> Bool {
    String.byteOrder(left.text, right.text)
  }
}

extension String {
  /// The most combining marks in a row: the longest run of Unicode's stream-safe text format (UAX #15, section 13).
  package static let maximumMarks = 30

  /// Whether more marks follow each other. Swift sorts them each time that it hashes or compares the text, which takes
  /// quadratic time: such a text can be a value, and no key or name.
  package var isSlowToHash: Bool {
    guard utf8.count > 2 * Self.maximumMarks else { return false }
    var run = 0
    for scalar in unicodeScalars {
      run = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : run + 1
      if run > Self.maximumMarks { return true }
    }
    return false
  }

  /// Decodes UTF-8; `nil` for invalid bytes, which `String` would repair.
  package init?(utf8 bytes: [UInt8]) {
    self.init(decoding: bytes, as: UTF8.self)
    guard utf8.elementsEqual(bytes) else { return nil }
  }

  /// Every scalar as `U+0065 U+0301`.
  var scalarNumbers: String {
    unicodeScalars.map { scalar in
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }.joined(separator: " ")
  }

  /// Whether two texts are equal byte by byte.
  @usableFromInline package func isExactly(_ other: String) -> Bool {
    let isEqual = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in left.hasSameBytes(as: right) }
    }
    // Only bridged strings have no contiguous UTF-8.
    return isEqual.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
  }

  /// Whether a text precedes another in the order of their UTF-8 bytes, unlike Swift's `<`.
  package static func byteOrder(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}

extension Dictionary where Key == String {
  // Inlinable, because every payload and context goes through these.

  /// The index of the key with these bytes. The subscript also finds a canonically equivalent key.
  @inlinable package func index(exactly key: String) -> Index? {
    guard let index = index(forKey: key), keys[index].isExactly(key) else { return nil }
    return index
  }

  /// The value of the key with these bytes.
  @inlinable package func value(exactly key: String) -> Value? {
    index(exactly: key).map { values[$0] }
  }

  /// Whether both have the same keys, compared by bytes, and equal values.
  package func hasExactly(_ other: [String: Value]) -> Bool where Value: Equatable {
    count == other.count
      && allSatisfy { key, value in other.index(exactly: key).map { other.values[$0] == value } ?? false }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Compares the bytes, eight at a time.
  fileprivate func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    let (left, right) = (UnsafeRawBufferPointer(self), UnsafeRawBufferPointer(other))
    var offset = 0
    while offset + 8 <= count {
      let words = (
        left.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
        right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      )
      guard words.0 == words.1 else { return false }
      offset += 8
    }
    while offset < count {
      guard left[offset] == right[offset] else { return false }
      offset += 1
    }
    return true
  }
}

// MARK: - FNV1a

/// The 64-bit FNV-1a hash (Fowler, Noll, Vo; RFC 9923). Not cryptographic. Part of file formats, so it stays the same.
package enum FNV1a {
  /// The hash of some bytes.
  ///
  /// - Parameter start: the hash of the bytes before them.
  package static func hash(_ bytes: some Sequence<UInt8>, after start: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64 {
    bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// The hash as 16 hexadecimal digits.
  package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = String(hash(bytes), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

// MARK: - Order

extension Sequence {
  /// Sorts the elements, like `sorted(by:)`. Stable.
  ///
  /// The standard library's sort is compiled again for every type of element and takes 5 KB each time. This function sorts
  /// positions, so all its callers share one copy. Use it where a few elements are sorted now and then; it is slower.
  package func inOrder(by precedes: (Element, Element) -> Bool) -> [Element] {
    let elements = Array(self)
    guard elements.count > 1 else { return elements }
    return positions(elements.count) { precedes(elements[$0], elements[$1]) }.map { elements[$0] }
  }
}

extension Sequence where Element: Comparable {
  /// Sorts the elements, like `sorted()`, with the code of ``inOrder(by:)``.
  package func inOrder() -> [Element] {
    inOrder(by: <)
  }

  /// Sorts the elements and leaves out those that are equal to another one.
  package func distinctInOrder() -> [Element] {
    var distinct: [Element] = []
    for element in inOrder() where distinct.last.map({ $0 < element }) ?? true { distinct.append(element) }
    return distinct
  }
}

@inline(never)
private func positions(_ count: Int, by precedes: (Int, Int) -> Bool) -> [Int] {
  (0..<count).sorted(by: precedes)
}
