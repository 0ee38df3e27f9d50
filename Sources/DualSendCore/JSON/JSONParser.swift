/// Builds the result of a ``JSONParser``: values, or values with positions.
protocol JSONBuilder {
  associatedtype Node
  associatedtype Members

  static func null(at offset: Int) -> Node
  static func bool(_ value: Bool, at offset: Int) -> Node
  /// - Parameter isInteger: whether the text has neither a fraction nor an exponent.
  static func number(_ text: UnsafeBufferPointer<UInt8>, isInteger: Bool, at offset: Int) throws(JSONError) -> Node
  static func string(_ text: String, at offset: Int) -> Node
  static func array(_ elements: [Node], at offset: Int) -> Node
  static func object(_ members: Members, at offset: Int) -> Node

  static var noMembers: Members { get }
  /// Adds a member. If a key that Swift considers equal is there already, returns that key.
  static func add(_ key: String, at keyOffset: Int, _ value: Node, to members: inout Members) -> String?
}

/// A strict recursive-descent parser for RFC 8259. Refuses duplicate keys, lone surrogates, invalid UTF-8 and text
/// after the value, and limits the depth. Skips a byte order mark, as section 8.1 allows.
struct JSONParser<Builder: JSONBuilder> {
  let bytes: UnsafeBufferPointer<UInt8>
  let maximumDepth: Int
  var position = 0
  /// The count of numbers that lose digits; `nil` to not count.
  var inexactNumbers: Int?
  private var depth = 0

  init(bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
  }

  mutating func document() throws(JSONError) -> Builder.Node {
    if bytes.starts(with: SourceText.byteOrderMark) { position = SourceText.byteOrderMark.count }
    if bytes.hasWideCharacters { throw error(.wideCharacters) }
    skipWhitespace()
    if position == bytes.count { throw JSONError(reason: .empty, offset: 0) }
    let node = try value()
    skipWhitespace()
    if position < bytes.count { throw error(.trailingContent) }
    return node
  }

  private mutating func value() throws(JSONError) -> Builder.Node {
    guard position < bytes.count else { throw error(.unexpectedEnd) }
    let start = position
    switch bytes[position] {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return Builder.string(try string(), at: start)
    case UInt8(ascii: "t"):
      try literal("true")
      return Builder.bool(true, at: start)
    case UInt8(ascii: "f"):
      try literal("false")
      return Builder.bool(false, at: start)
    case UInt8(ascii: "n"):
      try literal("null")
      return Builder.null(at: start)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw noValue(at: start)
    }
  }

  private mutating func object() throws(JSONError) -> Builder.Node {
    let start = position
    try enter()
    var members = Builder.noMembers
    if !take(UInt8(ascii: "}")) {
      repeat {
        skipWhitespace()
        let keyOffset = position
        guard position < bytes.count else { throw error(.unexpectedEnd) }
        guard bytes[position] == UInt8(ascii: "\"") else { throw unexpected() }
        let key = try string()
        skipWhitespace()
        guard take(UInt8(ascii: ":")) else { throw expected("`:` after a key") }
        skipWhitespace()
        let member = try value()
        if let other = Builder.add(key, at: keyOffset, member, to: &members) {
          throw JSONError(reason: other.isExactly(key) ? .duplicateKey(key) : .equivalentKeys(key), offset: keyOffset)
        }
        skipWhitespace()
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "}")) else { throw expected("`,` or `}`") }
    }
    depth -= 1
    return Builder.object(members, at: start)
  }

  private mutating func array() throws(JSONError) -> Builder.Node {
    let start = position
    try enter()
    var elements: [Builder.Node] = []
    if !take(UInt8(ascii: "]")) {
      repeat {
        skipWhitespace()
        elements.append(try value())
        skipWhitespace()
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "]")) else { throw expected("`,` or `]`") }
    }
    depth -= 1
    return Builder.array(elements, at: start)
  }

  private mutating func number() throws(JSONError) -> Builder.Node {
    let start = position
    var isInteger = true
    _ = take(UInt8(ascii: "-"))
    let wholeStart = position
    guard digits() else {
      throw JSONError(reason: bytes.foreignWord(at: wholeStart) ?? .invalidNumber, offset: start)
    }
    if bytes[wholeStart] == UInt8(ascii: "0"), position - wholeStart > 1 {
      throw JSONError(reason: .invalidNumber, offset: start)
    }
    if take(UInt8(ascii: ".")) {
      isInteger = false
      guard digits() else { throw JSONError(reason: .invalidNumber, offset: start) }
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isInteger = false
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      guard digits() else { throw JSONError(reason: .invalidNumber, offset: start) }
    }
    let text = UnsafeBufferPointer(rebasing: bytes[start..<position])
    if inexactNumbers != nil, !DecimalNumber.isKept(text) { inexactNumbers? += 1 }
    return try Builder.number(text, isInteger: isInteger, at: start)
  }

  private mutating func digits() -> Bool {
    let start = position
    while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    return position > start
  }

  private mutating func literal(_ text: StaticString) throws(JSONError) {
    let start = position
    for offset in 0..<text.utf8CodeUnitCount {
      guard position < bytes.count else { throw error(.unexpectedEnd) }
      guard bytes[position] == text.utf8Start[offset] else { throw noValue(at: start) }
      position += 1
    }
  }

  private mutating func enter() throws(JSONError) {
    guard depth < maximumDepth else { throw error(.tooDeep(limit: maximumDepth)) }
    depth += 1
    position += 1
    skipWhitespace()
  }

  mutating func skipWhitespace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  func error(_ reason: JSONError.Reason) -> JSONError {
    JSONError(reason: reason, offset: position)
  }

  private func unexpected() -> JSONError {
    position < bytes.count ? error(.unexpectedByte(bytes[position])) : error(.unexpectedEnd)
  }

  /// The error for a missing value at `start`, where the text is invalid from ``position`` on.
  private func noValue(at start: Int) -> JSONError {
    bytes.foreignWord(at: start).map { JSONError(reason: $0, offset: start) } ?? unexpected()
  }

  private func expected(_ what: String) -> JSONError {
    position < bytes.count ? error(.expected(what, found: bytes[position])) : error(.unexpectedEnd)
  }
}
