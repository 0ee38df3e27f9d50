/// Why bytes were refused as JSON. Never holds any of the text but the offending key.
@_spi(Tools) public struct JSONError: Error, Sendable, Hashable {
  /// The kind of fault.
  public enum Reason: Sendable, Hashable {
    case unexpectedEnd
    case unexpectedByte(UInt8)
    case expected(String)
    case byteOrderMark
    case invalidNumber
    case numberOutOfRange
    case invalidEscape
    case loneSurrogate
    case invalidUTF8
    case controlCharacterInString
    case duplicateKey(String)
    case equivalentKeys(String)
    case tooDeep(limit: Int)
    case tooLarge(limit: Int)
    case trailingContent
  }

  /// What is wrong.
  public let reason: Reason
  /// The byte at which it is wrong, counted from 0.
  public let offset: Int
}

@_spi(Tools) extension JSONError: CustomStringConvertible {
  /// One factual line, without the place.
  public var description: String {
    switch reason {
    case .unexpectedEnd: "the text ends inside a value"
    case .unexpectedByte(let byte): "unexpected \(Self.spelled(byte))"
    case .expected(let what): "expected \(what)"
    case .byteOrderMark: "the text starts with a byte order mark"
    case .invalidNumber: "this is not a JSON number"
    case .numberOutOfRange: "this number is larger than a double can hold"
    case .invalidEscape: "unknown escape in a string"
    case .loneSurrogate: "half of a surrogate pair in a string"
    case .invalidUTF8: "the text is not UTF-8 here"
    case .controlCharacterInString: "a control character in a string must be escaped"
    case .duplicateKey(let key): "the key `\(key)` stands twice in one object"
    case .equivalentKeys(let key):
      "two keys of one object are `\(key)` to Unicode, but differ in their bytes: this one is \(Self.scalars(of: key))"
    case .tooDeep(let limit): "containers are nested deeper than \(limit)"
    case .tooLarge(let limit): "the text is longer than \(limit) bytes"
    case .trailingContent: "there is text after the value"
    }
  }

  /// The way out, where there is one.
  public var help: String? {
    switch reason {
    case .unexpectedByte(UInt8(ascii: ",")), .unexpectedByte(UInt8(ascii: "}")), .unexpectedByte(UInt8(ascii: "]")):
      "JSON has no trailing commas"
    case .unexpectedByte(UInt8(ascii: "'")): "JSON strings stand in double quotes"
    case .unexpectedByte(UInt8(ascii: "/")): "JSON has no comments"
    case .byteOrderMark: "save the file as UTF-8 without a byte order mark"
    case .duplicateKey: "keep one of the two"
    case .equivalentKeys: "write one key in one normal form (NFC), or give one of the two another name"
    case .invalidNumber: "no leading zeros, no `+`, digits on both sides of the point"
    default: nil
    }
  }

  /// The first scalars as `U+0065 U+0301`.
  private static func scalars(of key: String) -> String {
    let first = String(key.unicodeScalars.prefix(8))
    return first.scalarNumbers + (first.utf8.count < key.utf8.count ? " …" : "")
  }

  private static func spelled(_ byte: UInt8) -> String {
    (0x21...0x7E).contains(byte) ? "`\(Character(UnicodeScalar(byte)))`" : "byte 0x" + String(byte, radix: 16)
  }
}
