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
