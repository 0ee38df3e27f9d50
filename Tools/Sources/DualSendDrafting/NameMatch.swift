import DualSendCore

/// Matches old names with new names by their words.
///
/// Two names match if they are equal, or if they have the same words in order and no other name on either side has
/// these. Everything else is a guess or a candidate.
struct NameMatch {
  /// The matches: new names by old names.
  private(set) var pairs: [ExactText: ExactText] = [:]
  /// The guesses: new names with one word more or less, such as `course_id` for `course`, if they are unambiguous on
  /// both sides.
  private(set) var guesses: [ExactText: ExactText] = [:]
  /// Old names without a match, with candidates.
  private(set) var open: [(old: ExactText, candidates: [ExactText])] = []

  private static let mostCandidates = 4

  init(old: Set<ExactText>, new: Set<ExactText>) {
    for name in old where new.contains(name) { pairs[name] = name }
    let (oldNames, newNames) = (old.subtracting(pairs.keys).sorted(), new.subtracting(pairs.keys).sorted())
    let oldByWords = Dictionary(grouping: oldNames) { NameWords($0.text) }
    let newByWords = Dictionary(grouping: newNames) { NameWords($0.text) }
    for (words, names) in oldByWords where names.count == 1 && !words.words.isEmpty {
      if let others = newByWords[words], others.count == 1 { pairs[names[0]] = others[0] }
    }
    let taken = Set(pairs.values)
    let free = newNames.filter { !taken.contains($0) }.map { ($0, NameWords($0.text)) }
    guess(of: oldNames.filter { pairs[$0] == nil }.map { ($0, NameWords($0.text)) }, among: free)
    for name in oldNames where pairs[name] == nil {
      let words = NameWords(name.text)
      var candidates = free.filter { words.isLike($0.1) }.map(\.0)
      if let nearest = nearestWord(to: name.text, among: free.map(\.0.text)), !candidates.contains(ExactText(nearest)) {
        candidates.append(ExactText(nearest))
      }
      open.append((name, Array(candidates.sorted().prefix(Self.mostCandidates))))
    }
  }

  private mutating func guess(of old: [(ExactText, NameWords)], among new: [(ExactText, NameWords)]) {
    for (name, words) in old {
      let restyled = new.filter { words.isRestyled(as: $0.1) }
      guard restyled.count == 1, old.count(where: { $0.1.isRestyled(as: restyled[0].1) }) == 1 else { continue }
      guesses[name] = restyled[0].0
    }
  }

  /// The text for a comment.
  static func text(_ candidates: [ExactText]) -> String {
    candidates.isEmpty
      ? "no new name is similar" : "may be " + candidates.map { "`\($0)`" }.joined(separator: " or ")
  }
}

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
