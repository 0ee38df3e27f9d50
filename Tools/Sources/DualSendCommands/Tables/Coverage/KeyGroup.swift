import DualSendCore

/// Words that start alike, as one line of a report that would otherwise have one for each of them.
struct KeyGroup {
  /// The one word, or what all start with and a `*`.
  let title: String
  let words: [ExactText]

  /// One group a word where there are few enough, else one for each start.
  ///
  /// A start ends with the last separator of a word, or before its first digit: `exp.1042` and `exp.1043` are `exp.*`.
  ///
  /// - Parameter limit: how many words may stand for themselves; 0 for any number.
  static func groups(of words: some Sequence<ExactText>, limit: Int) -> [KeyGroup] {
    let words = words.sorted()
    guard limit > 0, words.count > limit else { return words.map { KeyGroup(title: $0.text, words: [$0]) } }
    return Dictionary(grouping: words) { ExactText(start(of: $0.text)) }
      .map { start, words in KeyGroup(title: words.count == 1 ? words[0].text : start.text + "*", words: words) }
      .sorted { String.byteOrder($0.title, $1.title) }
  }

  private static func start(of word: String) -> String {
    let letters = word.prefix { !$0.isNumber }
    guard let separator = letters.lastIndex(where: { "._-/: ".contains($0) }) else { return String(letters) }
    return String(letters[...separator])
  }
}
