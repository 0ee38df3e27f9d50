package import DualSendCore

/// How a proposal was found, the surest first.
package enum MatchWay: String, Sendable, Hashable, Comparable {
  /// The same name.
  case same
  /// The same words in order: other capitals, separators or acronyms.
  case restyled
  /// The same words by the team's list, or by abbreviations of a single meaning.
  case words
  /// The old key's recorded values are among those that the plan allows.
  case values
  /// The same words in another order, or one word more or less.
  case similar

  package static func < (left: MatchWay, right: MatchWay) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .same: 0
    case .restyled: 1
    case .words: 2
    case .values: 3
    case .similar: 4
    }
  }
}

/// Matches old names with new names.
///
/// A proposal is sure if the names are the same or have the same words, no other name on either side has these words, and they
/// are not a single word that may mean anything, such as `id`, `value` or `click`.
struct NameMatch {
  struct Proposal {
    /// The old names; several become one, of which the first wins.
    let sources: [ExactText]
    let target: ExactText
    let way: MatchWay
    let isSure: Bool
  }

  private(set) var proposals: [Proposal] = []
  /// Old names without a proposal, with candidates.
  private(set) var open: [(old: ExactText, candidates: [ExactText])] = []

  private static let mostCandidates = 4

  init(old: NamedEvents.Keys, new: NamedEvents.Keys, words: WordList = WordList()) {
    var matching = Matching(old: old.keys.sorted(), new: new.keys.sorted(), list: words)
    matching.matchWords()
    matching.matchLetters()
    matching.matchValues(old, new)
    matching.matchSimilar()
    proposals = matching.proposals.sorted { $0.target < $1.target }
    let free = matching.new
    for name in matching.old {
      var candidates = free.filter { name.expanded.isLike($0.expanded) }.map(\.text)
      let nearest = nearestWord(to: name.text.text, among: free.map(\.text.text)).map { ExactText($0) }
      if let nearest, !candidates.contains(nearest) { candidates.append(nearest) }
      open.append((name.text, Array(candidates.sorted().prefix(Self.mostCandidates))))
    }
  }

  /// The text for a comment.
  static func text(_ candidates: [ExactText]) -> String {
    candidates.isEmpty
      ? "no new name is similar" : "may be " + candidates.map { "`\($0)`" }.joined(separator: " or ")
  }
}

/// The names that are not matched yet, and what is.
private struct Matching {
  struct Name {
    let text: ExactText
    /// Its words as written, and after the list and the abbreviations.
    let plain: NameWords
    let expanded: NameWords

    var letters: String { plain.words.joined() }
  }

  private(set) var old: [Name]
  private(set) var new: [Name]
  private(set) var proposals: [NameMatch.Proposal] = []

  init(old: [ExactText], new: [ExactText], list: WordList) {
    self.old = old.map { name in
      let words = NameWords(name.text)
      return Name(text: name, plain: words, expanded: list.expanded(words))
    }
    self.new = new.map { name in
      let words = NameWords(name.text)
      return Name(text: name, plain: words, expanded: words.withoutAbbreviations)
    }
  }

  /// Matches names of the same words. Of several new names with the same words, only the same one is proposed.
  mutating func matchWords() {
    let targets = Dictionary(grouping: new, by: \.expanded)
    for (words, sources) in Dictionary(grouping: old, by: \.expanded) {
      guard let targets = targets[words] else { continue }
      if targets.count == 1, !words.words.isEmpty || sources.count == 1 && sources[0].text == targets[0].text {
        propose(sources, targets[0])
      } else {
        for source in sources {
          guard let target = targets.first(where: { $0.text == source.text }) else { continue }
          propose([source], target, isAlone: false)
        }
      }
    }
  }

  /// Matches names of the same letters and digits, whatever their words: `item_category2` and `itemCategory_2`.
  mutating func matchLetters() {
    matchUniquely(.restyled) { $0.letters == $1.letters && !$0.letters.isEmpty }
  }

  /// Matches a key whose recorded values are all among those that the plan lists for one key, and for no other.
  mutating func matchValues(_ oldKeys: NamedEvents.Keys, _ newKeys: NamedEvents.Keys) {
    func fits(_ source: Name, _ target: Name) -> Bool {
      guard let values = oldKeys[source.text]?.closedValues, let allowed = newKeys[target.text]?.closedValues else {
        return false
      }
      return values.count > 1 && values.isSubset(of: allowed)
    }
    matchUniquely(.values, fits)
  }

  mutating func matchSimilar() {
    matchUniquely(.similar) { !$0.expanded.words.isEmpty && $0.expanded.words.sorted() == $1.expanded.words.sorted() }
    matchUniquely(.similar) { $0.expanded.differsByOneWord(from: $1.expanded) }
  }

  /// Proposes the pairs in which each name fits only the other.
  private mutating func matchUniquely(_ way: MatchWay, _ fits: (Name, Name) -> Bool) {
    let pairs = old.compactMap { source -> (Name, Name)? in
      let targets = new.filter { fits(source, $0) }
      guard targets.count == 1, old.count(where: { fits($0, targets[0]) }) == 1 else { return nil }
      return (source, targets[0])
    }
    for (source, target) in pairs {
      add(NameMatch.Proposal(sources: [source.text], target: target.text, way: way, isSure: false))
    }
  }

  /// - Parameter isAlone: whether no other new name has the same words.
  private mutating func propose(_ sources: [Name], _ target: Name, isAlone: Bool = true) {
    func way(_ source: Name) -> MatchWay {
      source.text == target.text ? .same : source.plain == target.plain ? .restyled : .words
    }
    let sources = sources.sorted { (way($0), $0.text) < (way($1), $1.text) }
    let worst = sources.map(way).max() ?? .words
    add(
      NameMatch.Proposal(
        sources: sources.map(\.text), target: target.text, way: worst,
        isSure: isAlone && sources.count == 1 && worst <= .restyled && target.plain.saysWhatIsMeant))
  }

  private mutating func add(_ proposal: NameMatch.Proposal) {
    proposals.append(proposal)
    old.removeAll { proposal.sources.contains($0.text) }
    new.removeAll { $0.text == proposal.target }
  }
}

// MARK: - Words

/// The words of a name or a key, in lower case. `homeLikeBtn.tap`, `home_like_btn_tap` and `Home-Like-Btn-Tap` have the same
/// words.
struct NameWords: Hashable {
  /// Abbreviations with a single meaning.
  private static let abbreviations = [
    "btn": "button", "img": "image", "idx": "index", "msg": "message", "pos": "position", "qty": "quantity",
    "cnt": "count", "num": "number", "pct": "percent", "desc": "description", "addr": "address", "cfg": "config",
    "ts": "timestamp", "ms": "milliseconds", "nav": "navigation", "notif": "notification", "prev": "previous",
    "src": "source", "dest": "destination", "lang": "language", "ver": "version", "usr": "user", "pwd": "password",
  ]
  /// Words that say too little alone.
  private static let vague: Set<String> = [
    "action", "amount", "category", "click", "close", "code", "content", "count", "data", "date", "duration", "end",
    "error",
    "event", "group", "id", "index", "info", "item", "key", "kind", "label", "level", "list", "method", "mode", "name",
    "number", "open", "order", "page", "path", "position", "properties", "reason", "result", "screen", "section",
    "size",
    "source", "start", "state", "status", "step", "success", "tab", "tap", "term", "text", "time", "timestamp", "title",
    "type", "url", "user", "value", "version", "view",
  ]

  let words: [String]

  init(words: [String]) {
    self.words = words
  }

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
    self.words = words.map { $0.lowercased() }
  }

  var withoutAbbreviations: NameWords { NameWords(words: words.map { Self.abbreviations[$0] ?? $0 }) }

  /// Whether this is more than one word that fits everything.
  var saysWhatIsMeant: Bool { words.count > 1 || words.contains { !Self.vague.contains($0) } }

  /// Whether one has exactly one more word than the other, at its start or end.
  func differsByOneWord(from other: NameWords) -> Bool {
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

/// The team's list: what the old names call one thing, and what the new ones do.
package struct WordList: Sendable {
  /// The new words for old ones, the longest first.
  private let entries: [(old: [String], new: [String])]

  package init() { entries = [] }

  /// Reads CSV with the columns `old` and `new`. A cell has a word, several, or a whole name.
  ///
  /// - Throws: the findings with their places.
  package init(csv bytes: [UInt8], name: String?) throws(DocumentError) {
    let sheet = try Sheet(bytes, name: name, known: ["old", "new"], required: ["old", "new"])
    var findings = sheet.findings
    var entries: [(old: [String], new: [String])] = []
    for row in sheet.rows {
      let (old, new) = (NameWords(row.name("old")).words, NameWords(row.name("new")).words)
      if old.isEmpty || new.isEmpty {
        findings.add(.unfitCell, "the line has no word in a cell", at: row.offset, help: "write an old and a new word")
      }
      if let known = entries.first(where: { $0.old == old }), known.new != new {
        findings.add(
          .contradictoryRows, "`\(row.name("old"))` already has another new word", at: row.offset("old"),
          help: "keep one of the two")
      }
      entries.append((old, new))
    }
    try findings.throwIfAny()
    self.entries = entries.sorted { $0.old.count > $1.old.count }
  }

  /// An old name's words as the new names have them.
  func expanded(_ name: NameWords) -> NameWords {
    var result: [String] = []
    var rest = name.words[...]
    while let word = rest.first {
      if let entry = entries.first(where: { rest.starts(with: $0.old) }) {
        result += entry.new
        rest = rest.dropFirst(entry.old.count)
      } else {
        result.append(word)
        rest = rest.dropFirst()
      }
    }
    return NameWords(words: result).withoutAbbreviations
  }
}
