/// Finds the members of one JSON object and where their values lie, and reads none of them.
///
/// Braces, keys, colons and commas are checked as strictly as a parser would; what stands inside a value is for whoever
/// reads that value.
struct MemberScanner {
  /// Where a member's key and value lie; the key without its quotes.
  struct Member {
    let key: Range<Int>
    let value: Range<Int>
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let end: Int
  private var position: Int
  private var isFirst = true
  /// Whether the object's end was found and nothing but white space follows it.
  private(set) var isComplete = false

  /// - Parameter range: where the object lies in the bytes.
  init(bytes: UnsafeBufferPointer<UInt8>, range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  /// Goes into the object; `false` if there is none.
  mutating func open() -> Bool {
    skipWhitespace()
    return take(UInt8(ascii: "{"))
  }

  /// The next member; `nil` at the end, or where the text is not JSON.
  mutating func next() -> Member? {
    skipWhitespace()
    if take(UInt8(ascii: "}")) {
      skipWhitespace()
      isComplete = position == end
      return nil
    }
    if !isFirst {
      guard take(UInt8(ascii: ",")) else { return nil }
      skipWhitespace()
    }
    isFirst = false
    let keyStart = position + 1
    guard skipString() else { return nil }
    let key = keyStart..<(position - 1)
    skipWhitespace()
    guard take(UInt8(ascii: ":")) else { return nil }
    skipWhitespace()
    let start = position
    return skipValue() ? Member(key: key, value: start..<position) : nil
  }

  private mutating func skipValue() -> Bool {
    guard position < end else { return false }
    switch bytes[position] {
    case UInt8(ascii: "\""): return skipString()
    case UInt8(ascii: "{"), UInt8(ascii: "["): return skipContainer()
    default:
      let start = position
      while position < end, Self.isScalarByte(bytes[position]) { position += 1 }
      return position > start
    }
  }

  private mutating func skipContainer() -> Bool {
    var depth = 0
    // In a local variable, which the loop can keep in a register.
    var cursor = position
    while cursor < end {
      let byte = bytes[cursor]
      if byte == UInt8(ascii: "\"") {
        guard let after = endOfString(at: cursor) else { return false }
        cursor = after
        continue
      }
      cursor += 1
      // Brackets and braces differ in one bit.
      switch byte | 0x20 {
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"):
        depth -= 1
        if depth == 0 {
          position = cursor
          return true
        }
      default: break
      }
    }
    return false
  }

  private mutating func skipString() -> Bool {
    guard position < end, bytes[position] == UInt8(ascii: "\""), let after = endOfString(at: position) else {
      return false
    }
    position = after
    return true
  }

  /// Where the string that opens here is over; `nil` if it never is.
  private func endOfString(at start: Int) -> Int? {
    var cursor = start + 1
    while cursor < end {
      let byte = bytes[cursor]
      if byte == UInt8(ascii: "\"") { return cursor + 1 }
      cursor += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < end, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipWhitespace() {
    while position < end {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  /// Letters, digits, signs and points: what numbers and literals are made of.
  private static func isScalarByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "E"),
      UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
