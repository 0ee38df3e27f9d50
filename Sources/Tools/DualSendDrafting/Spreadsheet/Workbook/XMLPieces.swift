/// Reads XML as a sequence of tags and texts (XML 1.0). Knows the five entities and numbers, and expands no others.
struct XMLPieces: Sequence, IteratorProtocol {
  enum Piece: Equatable {
    /// A start tag, or an empty element, which an end follows. Names are without their namespace's prefix.
    case start(String, [String: String])
    case end(String)
    case text(String)
  }

  private let bytes: [UInt8]
  private var position = 0
  private var pendingEnd: String?

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> Piece? {
    if let name = pendingEnd {
      pendingEnd = nil
      return .end(name)
    }
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "<") else { return .text(text(upTo: UInt8(ascii: "<"))) }
      if skip("<!--", "-->") || skip("<?", "?>") { continue }
      if rest("<![CDATA[") {
        let start = position + 9
        _ = skip("<![CDATA[", "]]>")
        return .text(
          String(decoding: bytes[Swift.min(start, bytes.count)..<Swift.max(start, position - 3)], as: UTF8.self))
      }
      if skip("<!", ">") { continue }
      return tag()
    }
    return nil
  }

  private func rest(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[position...].starts(with: $0) }
  }

  /// Skips from `opening` to after `closing`, or to the end.
  private mutating func skip(_ opening: StaticString, _ closing: StaticString) -> Bool {
    guard rest(opening) else { return false }
    while position < bytes.count, !rest(closing) { position += 1 }
    position = Swift.min(position + closing.utf8CodeUnitCount, bytes.count)
    return true
  }

  private mutating func tag() -> Piece? {
    position += 1
    let isEnd = position < bytes.count && bytes[position] == UInt8(ascii: "/")
    if isEnd { position += 1 }
    let name = word()
    var attributes: [String: String] = [:]
    while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
      if bytes[position] == UInt8(ascii: "/") { pendingEnd = name }
      guard isNameByte(bytes[position]) else {
        position += 1
        continue
      }
      let key = word()
      while position < bytes.count, bytes[position] == UInt8(ascii: "=") || bytes[position] <= 0x20 { position += 1 }
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'") else {
        continue
      }
      let quote = bytes[position]
      position += 1
      attributes[key] = text(upTo: quote)
      position += 1
    }
    position += 1
    if isEnd {
      pendingEnd = nil
      return .end(name)
    }
    return .start(name, attributes)
  }

  private func isNameByte(_ byte: UInt8) -> Bool {
    byte > 0x20 && !"/>=\"'<".utf8.contains(byte)
  }

  /// A name without its prefix.
  private mutating func word() -> String {
    let start = position
    while position < bytes.count, isNameByte(bytes[position]) { position += 1 }
    let name = bytes[start..<position]
    return String(decoding: name[(name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? start)...], as: UTF8.self)
  }

  private mutating func text(upTo stop: UInt8) -> String {
    let start = position
    while position < bytes.count, bytes[position] != stop { position += 1 }
    let raw = bytes[start..<position]
    let text = String(decoding: raw, as: UTF8.self)
    return raw.contains(UInt8(ascii: "&")) ? Self.resolved(text) : text
  }

  private static let entities: [Substring: Character] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

  private static func resolved(_ text: String) -> String {
    var (result, rest) = ("", text[...])
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      rest = rest[rest.index(after: start)...]
      guard let end = rest.prefix(12).firstIndex(of: ";") else {
        result += "&"
        continue
      }
      let name = rest[..<end]
      let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
      if let character = entities[name] {
        result.append(character)
      } else if name.hasPrefix("#"), let scalar = number.flatMap(UnicodeScalar.init) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "&" + name + ";"
      }
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}
