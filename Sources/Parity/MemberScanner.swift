/// Finds the members of one JSON object and where their values lie, and reads none of them.
///
/// It checks only what it needs to find the next member; whoever reads a value checks that value.
struct MemberScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  /// Whether the object's end was found and nothing follows it.
  private(set) var isComplete = false

  init(bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Goes into the object; `false` if there is none.
  mutating func open() -> Bool {
    take(UInt8(ascii: "{"))
  }

  /// The next member; `nil` at the end, or where the text is not JSON.
  mutating func next() -> (key: String, value: Range<Int>)? {
    if take(UInt8(ascii: "}")) {
      skipWhitespace()
      isComplete = position == bytes.count
      return nil
    }
    skipWhitespace()
    let keyStart = position
    guard skipString() else { return nil }
    let key = String(decoding: bytes[(keyStart + 1)..<(position - 1)], as: UTF8.self)
    guard take(UInt8(ascii: ":")) else { return nil }
    skipWhitespace()
    let start = position
    guard skipValue() else { return nil }
    let value = start..<position
    skipWhitespace()
    guard position < bytes.count else { return nil }
    if bytes[position] == UInt8(ascii: ",") { position += 1 }
    return (key, value)
  }

  private mutating func skipValue() -> Bool {
    guard position < bytes.count else { return false }
    switch bytes[position] {
    case UInt8(ascii: "\""): return skipString()
    case UInt8(ascii: "{"), UInt8(ascii: "["): return skipContainer()
    default:
      let start = position
      while position < bytes.count, !Self.endsScalar(bytes[position]) { position += 1 }
      return position > start
    }
  }

  private mutating func skipContainer() -> Bool {
    var depth = 0
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        guard skipString() else { return false }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      position += 1
      if depth == 0 { return true }
    }
    return false
  }

  private mutating func skipString() -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return false }
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return true }
    }
    return false
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipWhitespace()
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipWhitespace() {
    while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
  }

  private static func endsScalar(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || byte <= 0x20
  }
}
