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

  /// Whether the next byte that is not white space is a colon, so that a string before it is a key.
  package func isColonNext(from start: Int) -> Bool {
    var position = start
    while position < count, self[position].isJSONWhitespace { position += 1 }
    return position < count && self[position] == UInt8(ascii: ":")
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
