import DualSendCore

/// One parameter in the format of Parchment's event generator: an item with the key, with a nested list of `type`,
/// `nullable` and `description`, each with its value in a nested list.
///
/// https://github.com/k-kohey/Parchment-swift/tree/main/EventGen
struct NestedMarkdownParameter {
  /// A list item, or a continuation line.
  private struct Item {
    let number: Int
    let indent: Int
    let isItem: Bool
    let text: Substring

    /// The column of the text, counted from 1.
    var column: Int { indent + (isItem ? 3 : 1) }

    init(_ line: MarkdownText.Line) {
      number = line.number
      indent = line.text.prefix { $0 == " " || $0 == "\t" }.reduce(0) { $1 == "\t" ? $0 / 4 * 4 + 4 : $0 + 1 }
      let content = SpecificationText.withoutTrailingSpace(line.text.drop { $0 == " " || $0 == "\t" })
      isItem = NestedMarkdownParameter.isItem(content)
      text = isItem ? content.dropFirst(2).drop { $0 == " " } : content
    }
  }

  /// An item below the key.
  private struct Option {
    let place: Item
    var value: Item?
    var text = ""
  }

  private static let words = ["type", "nullable", "description"]

  private let key: Item
  private var options: [String: Option] = [:]

  /// - Parameter line: the line of the key.
  init(_ line: MarkdownText.Line) {
    key = Item(line)
  }

  /// Whether a line with a key is in this format, instead of having its type in parentheses.
  ///
  /// - Parameter next: the next line that is not blank.
  static func isNested(_ line: Substring, before next: Substring?) -> Bool {
    guard let next, isIndented(next), isItem(next.drop { $0 == " " || $0 == "\t" }) else { return false }
    var rest = line.unicodeScalars.dropFirst(2)
    return CodeSpan.read(&rest) == nil || !rest.starts(with: " (".unicodeScalars)
  }

  private static func isItem(_ text: Substring) -> Bool {
    ["- ", "* ", "+ "].contains { text.hasPrefix($0) }
  }

  private static func isIndented(_ line: Substring) -> Bool {
    line.first == " " || line.first == "\t"
  }

  /// The parameter, or `nil` and a finding.
  mutating func read(into text: inout MarkdownText) -> EventSpecification.Parameter? {
    readOptions(into: &text)
    let name = plain(key, into: &text)
    guard let type = type(into: &text), let name else { return nil }
    var parameter = EventSpecification.Parameter(key: name, type: type)
    parameter.description = options["description"]?.text ?? ""
    if let nullable = options["nullable"], let value = nullable.value {
      parameter.isNullable = nullable.text == "true"
      if !["true", "false"].contains(nullable.text) {
        report("`nullable` is neither `true` nor `false`", at: value, into: &text)
      }
    }
    return parameter
  }

  private mutating func readOptions(into text: inout MarkdownText) {
    var current: String?
    var level: Int?
    while let line = text.nextWritten(where: Self.isIndented) {
      let item = Item(line)
      if !item.isItem {
        continueItem(item, with: current, into: &text)
      } else if item.indent == level ?? item.indent {
        level = item.indent
        current = open(item, into: &text)
      } else if item.indent > level ?? 0 {
        if let current { setValue(item, of: current, into: &text) }
      } else {
        current = nil
        report(
          "this item is indented less than the previous one, but more than the key", at: item, into: &text,
          help: "indent `type`, `nullable` and `description` alike")
      }
    }
    for (word, option) in options.sorted(by: { $0.value.place.number < $1.value.place.number })
    where option.value == nil {
      report(
        "`\(word)` has no value", at: option.place, into: &text, help: "write it in a nested list")
    }
  }

  /// Starts an option; `nil` if the item is not one.
  private mutating func open(_ item: Item, into text: inout MarkdownText) -> String? {
    let word = String(item.text)
    guard Self.words.contains(word) else {
      let nearest = nearestWord(to: word, among: Self.words).map { "did you mean `\($0)`? " } ?? ""
      text.report(
        .unknownParameterWord, "unknown word `\(word)`", line: item.number, column: item.column,
        help: nearest + "one of " + Self.words.map { "`\($0)`" }.joined(separator: ", "))
      return nil
    }
    if options[word] != nil {
      report("`\(word)` appears twice", at: item, into: &text, help: "keep one of the two")
      return nil
    }
    options[word] = Option(place: item)
    return word
  }

  private mutating func setValue(_ item: Item, of word: String, into text: inout MarkdownText) {
    if options[word]?.value != nil {
      report("`\(word)` has two values", at: item, into: &text, help: "keep one of the two")
      return
    }
    let value = word == "description" ? String(item.text) : plain(item, into: &text) ?? ""
    options[word]?.value = item
    options[word]?.text = value
  }

  private mutating func continueItem(_ item: Item, with word: String?, into text: inout MarkdownText) {
    if word == "description", options["description"]?.value != nil {
      options["description"]?.text += "\n" + item.text
    } else if word != nil {
      report("this line is not a list item", at: item, into: &text, help: "start it with `- `")
    }
  }

  private func type(into text: inout MarkdownText) -> ParameterType? {
    guard let option = options["type"] else {
      report(
        "the parameter's `type` is missing", at: key, into: &text,
        help: "add `- type` below it, and the type below that")
      return nil
    }
    guard let value = option.value, !option.text.isEmpty else { return nil }
    if let type = ParameterType.parchment(option.text) { return type }
    let words = ParameterType.parchmentWords
    let nearest = nearestWord(to: option.text, among: words).map { "did you mean `\($0)`? " } ?? ""
    text.report(
      .unknownParameterWord, "unknown type `\(option.text)`", line: value.number, column: value.column,
      help: nearest + "one of " + words.map { "`\($0)`" }.joined(separator: ", "))
    return nil
  }

  /// The single word of an item, plain or in backticks.
  private func plain(_ item: Item, into text: inout MarkdownText) -> String? {
    var rest = item.text.unicodeScalars
    if let word = CodeSpan.read(&rest), rest.isEmpty { return word }
    if !item.text.isEmpty, !item.text.unicodeScalars.contains(where: { " \t`*<>\\&".unicodeScalars.contains($0) }) {
      return String(item.text)
    }
    report(
      "`\(item.text)` is not one word", at: item, into: &text,
      help: "write it in backticks if its spaces or marks belong to it")
    return nil
  }

  private func report(_ message: String, at item: Item, into text: inout MarkdownText, help: String? = nil) {
    text.report(.invalidParameterLine, message, line: item.number, column: item.column, help: help)
  }
}
