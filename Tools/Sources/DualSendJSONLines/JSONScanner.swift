/// Finds the ranges of an object's members or an array's elements in JSON, without reading the values.
///
/// Checks braces, keys, colons and commas strictly, but not the content of values.
package struct JSONScanner {
  /// The ranges of a member's key, without quotes, and value.
  package struct Member {
    package let key: Range<Int>
    package let value: Range<Int>
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let end: Int
  private var position: Int
  private var isFirst = true
  /// Whether the container has ended and only white space follows.
  package private(set) var isComplete = false

  /// - Parameter range: the range of the container.
  package init(bytes: UnsafeBufferPointer<UInt8>, range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  /// Enters the object; `false` if there is none.
  package mutating func openObject() -> Bool { open(UInt8(ascii: "{")) }

  /// Enters the array; `false` if there is none.
  package mutating func openArray() -> Bool { open(UInt8(ascii: "[")) }

  /// The next member of an object; `nil` at the end or at a syntax error.
  package mutating func nextMember() -> Member? {
    guard advance(until: UInt8(ascii: "}")) else { return nil }
    let keyStart = position + 1
    guard position < end, bytes[position] == UInt8(ascii: "\""), skipValue() else { return nil }
    let key = keyStart..<(position - 1)
    skipWhitespace()
    guard take(UInt8(ascii: ":")) else { return nil }
    skipWhitespace()
    let start = position
    return skipValue() ? Member(key: key, value: start..<position) : nil
  }

  /// The range of the next element of an array; `nil` at the end or at a syntax error.
  package mutating func nextElement() -> Range<Int>? {
    guard advance(until: UInt8(ascii: "]")) else { return nil }
    let start = position
    return skipValue() ? start..<position : nil
  }

  private mutating func open(_ bracket: UInt8) -> Bool {
    skipWhitespace()
    return take(bracket)
  }

  /// Goes to the next item; `false` at the end or if the comma is missing.
  private mutating func advance(until closing: UInt8) -> Bool {
    skipWhitespace()
    if take(closing) {
      skipWhitespace()
      isComplete = position == end
      return false
    }
    if !isFirst {
      guard take(UInt8(ascii: ",")) else { return false }
      skipWhitespace()
    }
    isFirst = false
    return true
  }

  private mutating func skipValue() -> Bool {
    guard position < end else { return false }
    let isContainer = bytes[position] == UInt8(ascii: "{") || bytes[position] == UInt8(ascii: "[")
    guard let after = isContainer ? endOfContainer() : bytes.endOfScalar(at: position), after <= end else {
      return false
    }
    position = after
    return true
  }

  private func endOfContainer() -> Int? {
    var depth = 0
    var cursor = position
    while cursor < end {
      let byte = bytes[cursor]
      if byte == UInt8(ascii: "\"") {
        guard let after = bytes.endOfScalar(at: cursor) else { return nil }
        cursor = after
        continue
      }
      cursor += 1
      // Brackets and braces differ in one bit.
      switch byte | 0x20 {
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"):
        depth -= 1
        if depth == 0 { return cursor }
      default: break
      }
    }
    return nil
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < end, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipWhitespace() {
    while position < end, bytes[position].isJSONWhitespace { position += 1 }
  }
}

extension UInt8 {
  package var isJSONWhitespace: Bool {
    self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The end of the string, number or literal that starts here; `nil` if there is none or a string has no end.
  ///
  /// Checks only a string's quotes: a number may be invalid.
  package func endOfScalar(at start: Int) -> Int? {
    guard start < count else { return nil }
    var cursor = start
    if self[start] == UInt8(ascii: "\"") {
      cursor += 1
      while cursor < count {
        let byte = self[cursor]
        if byte == UInt8(ascii: "\"") { return cursor + 1 }
        cursor += byte == UInt8(ascii: "\\") ? 2 : 1
      }
      return nil
    }
    while cursor < count, Self.isScalarByte(self[cursor]) { cursor += 1 }
    return cursor > start ? cursor : nil
  }

  /// The end of the string that starts here; `nil` if it has no end, an escape or a byte that is not printable ASCII.
  /// Processes eight bytes at a time.
  package func endOfPlainString(at start: Int) -> Int? {
    var cursor = start + 1
    let bytes = UnsafeRawBufferPointer(self)
    while cursor + 8 <= count {
      let marks = Self.marks(bytes.loadUnaligned(fromByteOffset: cursor, as: UInt64.self).littleEndian)
      guard marks == 0 else {
        cursor += marks.trailingZeroBitCount / 8
        return self[cursor] == UInt8(ascii: "\"") ? cursor + 1 : nil
      }
      cursor += 8
    }
    while cursor < count, Self.marks(UInt64(self[cursor]) | 0x2020_2020_2020_2000) == 0 { cursor += 1 }
    return cursor < count && self[cursor] == UInt8(ascii: "\"") ? cursor + 1 : nil
  }

  /// A bit for each byte that is a quote, a backslash, a control character or not ASCII. Exact up to the first such
  /// byte.
  private static func marks(_ word: UInt64) -> UInt64 {
    let (ones, highs) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
    let quotes = word ^ (ones &* 0x22)
    let backslashes = word ^ (ones &* 0x5C)
    let hits = (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | (word &- ones &* 0x20) & ~word
    return (hits | word) & highs
  }

  /// Whether the byte can be part of a number or a literal.
  private static func isScalarByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "E"),
      UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
