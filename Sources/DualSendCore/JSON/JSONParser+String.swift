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
