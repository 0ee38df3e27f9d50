/// The words of a name or a key. `homeLikeBtn.tap`, `home_like_button_tap` and `Home-Like-Button-Tap` have the same
/// words.
struct NameWords: Hashable {
  /// Abbreviations with a single meaning.
  private static let abbreviations = [
    "btn": "button", "img": "image", "idx": "index", "msg": "message", "pos": "position", "qty": "quantity",
    "cnt": "count", "num": "number", "pct": "percent", "desc": "description", "addr": "address", "cfg": "config",
    "ts": "timestamp", "ms": "milliseconds", "nav": "navigation", "notif": "notification", "prev": "previous",
    "src": "source", "dest": "destination", "lang": "language", "ver": "version", "usr": "user", "pwd": "password",
  ]

  let words: [String]

  init(_ text: String) {
    var words: [String] = []
    var word = ""
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let isPart = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      let isUpper = scalar.properties.isUppercase
      let previous = index > 0 ? scalars[index - 1] : scalar
      let next = index + 1 < scalars.count ? scalars[index + 1] : scalar
      // `userId`, `userID` and `HTTPServer` each have two words.
      let startsWord = isUpper && (!previous.properties.isUppercase || next.properties.isLowercase)
      if !isPart || startsWord, !word.isEmpty {
        words.append(word)
        word = ""
      }
      if isPart { word.unicodeScalars.append(scalar) }
    }
    if !word.isEmpty { words.append(word) }
    self.words = words.map { word in
      let lower = word.lowercased()
      return Self.abbreviations[lower] ?? lower
    }
  }

  /// Whether one has exactly one more word than the other, at its start or end.
  func isRestyled(as other: NameWords) -> Bool {
    let (short, long) = words.count < other.words.count ? (words, other.words) : (other.words, words)
    return !short.isEmpty && long.count == short.count + 1
      && (long.starts(with: short) || long.dropFirst() == short[...])
  }

  /// Whether the names are similar: they share at least half of their words.
  func isLike(_ other: NameWords) -> Bool {
    let (left, right) = (Set(words), Set(other.words))
    let common = left.intersection(right).count
    return common > 0 && 2 * common >= left.union(right).count
  }
}
