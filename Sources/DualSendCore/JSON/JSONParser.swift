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

  /// Whether texts may be names, which are hashed, and not only values.
  static var limitsTexts: Bool { get }
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
    case UInt8(ascii: "\""):
      let text = try string()
      if Builder.limitsTexts, text.isSlowToHash {
        throw JSONError(reason: .tooManyMarks(limit: String.maximumMarks), offset: start)
      }
      return Builder.string(text, at: start)
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
        if key.isSlowToHash { throw JSONError(reason: .tooManyMarks(limit: String.maximumMarks), offset: keyOffset) }
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

// MARK: - Strings

extension JSONParser {
  /// Reads a string, both quotes included.
  mutating func string() throws(JSONError) -> String {
    position += 1
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        let text = try decoded(bytes[start..<position], from: start)
        position += 1
        return text
      case UInt8(ascii: "\\"): return try escapedString(from: start)
      case ..<0x20: throw controlCharacter(from: start)
      default: position += 1
      }
    }
    throw unfinished(from: start)
  }

  /// A line break in a string usually means that the closing quote is missing.
  private func controlCharacter(from start: Int) -> JSONError {
    let isLineBreak = bytes[position] == UInt8(ascii: "\n") || bytes[position] == UInt8(ascii: "\r")
    return isLineBreak ? unfinished(from: start) : error(.controlCharacterInString)
  }

  private func unfinished(from start: Int) -> JSONError {
    JSONError(reason: .unfinishedString, offset: start - 1)
  }

  private mutating func escapedString(from start: Int) throws(JSONError) -> String {
    var text = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        let result = try text.withUnsafeBufferPointer { buffer throws(JSONError) in
          try decoded(buffer[...], from: start)
        }
        position += 1
        return result
      case UInt8(ascii: "\\"):
        position += 1
        guard position < bytes.count else { throw unfinished(from: start) }
        try escape(into: &text)
      case ..<0x20: throw controlCharacter(from: start)
      default:
        text.append(byte)
        position += 1
      }
    }
    throw unfinished(from: start)
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text.append(contentsOf: Character(try unicodeScalar()).utf8)
    default: throw JSONError(reason: .invalidEscape, offset: position - 2)
    }
  }

  private mutating func unicodeScalar() throws(JSONError) -> UnicodeScalar {
    let start = position - 2
    let first = try codeUnit()
    if let scalar = UnicodeScalar(first) { return scalar }
    guard (0xD800...0xDBFF).contains(first), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
      throw JSONError(reason: .loneSurrogate, offset: start)
    }
    let second = try codeUnit()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = UnicodeScalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw JSONError(reason: .loneSurrogate, offset: start) }
    return scalar
  }

  private mutating func codeUnit() throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard position < bytes.count else { throw error(.unexpectedEnd) }
      guard let digit = hexDigit(bytes[position]) else { throw error(.invalidEscape) }
      unit = unit << 4 | UInt32(digit)
      position += 1
    }
    return unit
  }

  /// Decodes UTF-8. Throws for invalid bytes, which `String` would repair.
  ///
  /// - Parameter start: the offset of the string's text, which ends at ``position``.
  private func decoded(_ slice: Slice<UnsafeBufferPointer<UInt8>>, from start: Int) throws(JSONError) -> String {
    let buffer = UnsafeBufferPointer(rebasing: slice)
    let text = String(decoding: buffer, as: UTF8.self)
    guard buffer.contains(where: { $0 >= 0x80 }), !text.utf8.elementsEqual(buffer) else { return text }
    throw JSONError(reason: .invalidUTF8, offset: firstInvalidUTF8(from: start))
  }

  /// The first invalid byte of the text. Escapes are ASCII, so they need no decoding.
  private func firstInvalidUTF8(from start: Int) -> Int {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes[start...].makeIterator()
    var offset = start
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) { offset += scalar.count }
    return offset
  }
}

// MARK: - Advice on texts that are not JSON

extension UnsafeBufferPointer<UInt8> {
  /// The literals of Python, JavaScript, Swift and others, in lower case, and how JSON writes them.
  ///
  /// Messages repeat only these words: any other could be part of a payload.
  private static let foreignWords: [(word: String, json: String?)] = [
    ("true", "true"), ("false", "false"), ("null", "null"), ("none", "null"), ("nil", "null"), ("undefined", "null"),
    ("nan", nil), ("inf", nil), ("infinity", nil),
  ]
  private static let longestForeignWord = 9

  /// Why the word that starts here is not JSON; `nil` if it is none of ``foreignWords``.
  func foreignWord(at start: Int) -> JSONError.Reason? {
    let letters = self[start...].prefix(Self.longestForeignWord + 1).prefix(while: Self.isWordByte)
    let word = String(decoding: letters, as: UTF8.self)
    let known = Self.foreignWords.first { $0.word == word.lowercased() }
    return known.map { .foreignWord(word, json: $0.json) }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  /// Whether the text is UTF-16 or UTF-32: it has their byte order mark, or every second byte at its start is zero.
  var hasWideCharacters: Bool {
    guard count >= 2 else { return false }
    if (self[0], self[1]) == (0xFE, 0xFF) || (self[0], self[1]) == (0xFF, 0xFE) { return true }
    guard count >= 4, (self[0] == 0) != (self[1] == 0) else { return false }
    return (self[0] == 0) == (self[2] == 0) && (self[1] == 0) == (self[3] == 0)
  }
}
