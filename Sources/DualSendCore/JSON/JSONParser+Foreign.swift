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
