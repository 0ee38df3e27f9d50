import DualSendCore

/// One item of the parameter list: ``- `key` (string, nullable, one of `a`, `b`): What it means.``
struct MarkdownParameter {
  /// The text after the colon.
  private(set) var description: Substring = ""
  private let line: MarkdownText.Line
  private var rest: Substring.UnicodeScalarView

  /// - Parameter line: a line that starts with `- ` or `* `.
  init(_ line: MarkdownText.Line) {
    self.line = line
    rest = line.text.unicodeScalars.dropFirst(2)
  }

  /// Counts to the end of the line, so it is asked for findings alone.
  private func column(of rest: Substring.UnicodeScalarView) -> Int {
    line.text.unicodeScalars.count - rest.count + 1
  }

  /// The parameter, or `nil` and a finding.
  mutating func read(into text: inout MarkdownText) -> EventSpecification.Parameter? {
    guard let key = CodeSpan.read(&rest) else {
      return refuse("the parameter's key is missing", into: &text, help: "write it in backticks: - `key` (string)")
    }
    guard take(" (") else {
      return refuse(
        "the type of `\(key)` is missing after the key", into: &text, help: "write: - `key` (string): What it means.")
    }
    var parameter = EventSpecification.Parameter(key: key, type: ParameterType(.string))
    guard readType(of: &parameter, into: &text) else { return nil }
    while take(", ") { guard readWord(of: &parameter, into: &text) else { return nil } }
    guard take(")") else {
      return refuse("the parenthesis of `\(key)` does not end here", into: &text, help: "separate the words with `, `")
    }
    let behind = SpecificationText.withoutTrailingSpace(Substring(rest))
    if behind.isEmpty { return parameter }
    guard behind.hasPrefix(":") else {
      return refuse(
        "the colon after the type of `\(key)` is missing", into: &text, help: "write `: ` and what it means")
    }
    description = behind.dropFirst().drop { $0 == " " }
    return parameter
  }

  private mutating func readType(
    of parameter: inout EventSpecification.Parameter, into text: inout MarkdownText
  ) -> Bool {
    let column = column(of: rest)
    let word = word()
    guard let type = ParameterType(word) else {
      return unknown(word, "type", among: ParameterType.words, column: column, into: &text)
    }
    parameter.type = type
    return true
  }

  private mutating func readWord(
    of parameter: inout EventSpecification.Parameter, into text: inout MarkdownText
  ) -> Bool {
    if take("one of ") { return readValues(of: &parameter, into: &text) }
    if take("swift ") {
      parameter.swiftName = CodeSpan.read(&rest)
      return parameter.swiftName != nil
        || refuse("the Swift name is missing", into: &text, help: "write it in backticks")
    }
    let column = column(of: rest)
    let word = word()
    guard word == "nullable" else {
      return unknown(word, "word", among: ["nullable", "one of", "swift"], column: column, into: &text)
    }
    parameter.isNullable = true
    return true
  }

  /// Reads the closed values, up to the end of the parenthesis.
  private mutating func readValues(
    of parameter: inout EventSpecification.Parameter, into text: inout MarkdownText
  ) -> Bool {
    repeat {
      let start = rest
      guard let value = CodeSpan.read(&rest) else {
        return refuse("a closed value is missing", into: &text, help: "write each in backticks: one of `a`, `b`")
      }
      guard parameter.type.element == .int else {
        parameter.values.append(.string(value))
        continue
      }
      guard let number = Int64(value) else {
        text.report(
          .unfitClosedValues, "`\(value)` is not a whole number", line: line.number, column: column(of: start),
          help: "the parameter's type is \(parameter.type)")
        return false
      }
      parameter.values.append(.int(number))
    } while take(", ")
    return true
  }

  /// The text up to the next separator.
  private mutating func word() -> String {
    let word = rest.prefix { $0 != "," && $0 != ")" && $0 != "`" }
    rest = rest.dropFirst(word.count)
    return String(Substring(word))
  }

  private mutating func take(_ text: String) -> Bool {
    guard rest.starts(with: text.unicodeScalars) else { return false }
    rest = rest.dropFirst(text.unicodeScalars.count)
    return true
  }

  private func unknown(
    _ word: String, _ kind: String, among known: [String], column: Int, into text: inout MarkdownText
  ) -> Bool {
    let nearest = nearestWord(to: word, among: known).map { "did you mean `\($0)`? " } ?? ""
    text.report(
      .unknownParameterWord, "unknown \(kind) `\(word)`", line: line.number, column: column,
      help: nearest + "one of " + known.map { "`\($0)`" }.joined(separator: ", "))
    return false
  }

  private func refuse(_ message: String, into text: inout MarkdownText, help: String) -> Bool {
    text.report(.invalidParameterLine, message, line: line.number, column: column(of: rest), help: help)
    return false
  }

  private func refuse(
    _ message: String, into text: inout MarkdownText, help: String
  ) -> EventSpecification.Parameter? {
    text.report(.invalidParameterLine, message, line: line.number, column: column(of: rest), help: help)
    return nil
  }
}
