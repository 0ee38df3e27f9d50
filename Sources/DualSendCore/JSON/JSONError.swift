/// Why bytes are not valid JSON. Of the text, it holds only the key or the word at fault.
package struct JSONError: Error, Sendable, Hashable {
  /// The kind of fault.
  package enum Reason: Sendable, Hashable {
    /// There is only white space.
    case empty
    case unexpectedEnd
    case unexpectedByte(UInt8)
    case expected(String, found: UInt8)
    /// A literal of another language, such as `None`, and how JSON writes it, if it can.
    case foreignWord(String, json: String?)
    /// UTF-16 or UTF-32.
    case wideCharacters
    /// The string has no closing quote on its line. The offset is its opening quote.
    case unfinishedString
    case invalidNumber
    case numberOutOfRange
    case invalidEscape
    case loneSurrogate
    case invalidUTF8
    case controlCharacterInString
    case duplicateKey(String)
    case equivalentKeys(String)
    case tooDeep(limit: Int)
    case tooManyMarks(limit: Int)
    case tooLarge(limit: Int)
    case trailingContent
  }

  /// The reason.
  package let reason: Reason
  /// The byte offset of the fault.
  package let offset: Int

  /// Creates an error.
  package init(reason: Reason, offset: Int) {
    (self.reason, self.offset) = (reason, offset)
  }
}

extension JSONError: CustomStringConvertible {
  /// The message, without the place.
  package var description: String {
    switch reason {
    case .empty: "the text is empty"
    case .unexpectedEnd: "the text ends inside a value"
    case .unexpectedByte(let byte): "unexpected \(Self.spelled(byte))"
    case .expected(let what, let found): "expected \(what), found \(Self.spelled(found))"
    case .foreignWord(let word, _): "`\(word)` is not JSON"
    case .wideCharacters: "the text is UTF-16 or UTF-32, not UTF-8"
    case .unfinishedString: "the string that starts here has no closing quote on its line"
    case .invalidNumber: "this is not a JSON number"
    case .numberOutOfRange: "this number is larger than a double can hold"
    case .invalidEscape: "unknown escape in a string"
    case .loneSurrogate: "half of a surrogate pair in a string"
    case .invalidUTF8: "the text is not UTF-8 here"
    case .controlCharacterInString: "a control character in a string must be escaped"
    case .duplicateKey(let key): "the key `\(key)` appears twice in one object"
    case .equivalentKeys(let key):
      "two keys of one object are `\(key)` to Unicode, but differ in their bytes: this one is \(Self.scalars(of: key))"
    case .tooDeep(let limit): "containers are nested deeper than \(limit)"
    case .tooManyMarks(let limit): "a key or a name has more than \(limit) combining marks in a row"
    case .tooLarge(let limit): "the text is longer than \(limit) bytes"
    case .trailingContent: "there is text after the value"
    }
  }

  /// How to fix it, if known.
  package var help: String? {
    switch reason {
    case .unexpectedByte(UInt8(ascii: ",")), .unexpectedByte(UInt8(ascii: "}")), .unexpectedByte(UInt8(ascii: "]")):
      "JSON has no trailing commas"
    case .unexpectedByte(UInt8(ascii: "'")): "JSON strings need double quotes"
    case .unexpectedByte(UInt8(ascii: "/")): "JSON has no comments"
    case .expected(_, found: UInt8(ascii: "%")): "a percentage is a plain number: remove the `%`"
    case .expected(_, found: UInt8(ascii: "/")): "JSON has no comments"
    case .foreignWord(_, let json?): "JSON writes `\(json)`"
    case .foreignWord(_, nil): "JSON numbers are digits; leave the value out, or write `null`"
    case .wideCharacters: "save the file as UTF-8"
    case .unfinishedString: "close it with `\"`; a line break inside a string is written `\\n`"
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
