import DualSendCore

/// Warns about valid parts of a rollout document that are probably mistakes. Apps do not run it.
struct RolloutLint {
  private var reader: DocumentReader

  /// The warnings that the document does not silence.
  ///
  /// - Parameter bytes: a document that was accepted.
  static func findings(in bytes: [UInt8], name: String) throws(DocumentError) -> [DocumentDiagnostic] {
    var lint = RolloutLint(reader: try DocumentReader(bytes, name: name))
    lint.checkDocument()
    return lint.reader.diagnostics
  }

  private mutating func checkDocument() {
    let root = reader.document.root
    readAllowance(of: root, at: EventPath())
    checkFlags(of: root, at: EventPath())
    for (rule, path) in elements(of: "rules", in: root, at: EventPath()) {
      readAllowance(of: rule, at: path)
      checkFlags(of: rule, at: path)
      if let match = rule.member("match") { checkMatch(match, at: path.appending("match")) }
      checkTexts(of: rule, at: path)
    }
  }

  private mutating func readAllowance(of node: JSONNode, at path: EventPath) {
    reader.readAllowance(node.member("allow"), at: path)
    reader.warnOfUnknownAllowances(node.member("allow"), at: path)
  }

  private mutating func checkMatch(_ match: JSONNode.Member, at path: EventPath) {
    if match.value.isEmptyObject {
      warn(
        .emptyMatch, "`match` has no conditions, so the rule applies to every event of every unit", match.keyOffset,
        path,
        help: "leave `match` out if that is intended")
    }
    if let attributes = match.value.member("attributes"), attributes.value.isEmptyObject {
      warn(
        .emptyAttributes, "`attributes` has no conditions", attributes.keyOffset, path.appending("attributes"),
        help: "name an attribute and its values, or leave `attributes` out")
    }
    for (node, path) in elements(of: "events", in: match.value, at: path) {
      guard case .string(let text) = node.content, text.utf8.contains(UInt8(ascii: "?")) else { continue }
      warn(
        .literalQuestionMark, "the `?` in `\(text)` is a literal character, not a wildcard", node.offset, path,
        help: "write each name, or a prefix that ends in `*`")
    }
  }

  /// Warns of characters that nobody sees: a text with one is another text.
  private mutating func checkTexts(of node: JSONNode, at path: EventPath) {
    switch node.content {
    case .string(let text):
      guard let scalar = text.unicodeScalars.first(where: \.isInvisible) else { return }
      warn(
        .invisibleCharacter, "`\(text.printable())` has the invisible character \(scalar.codePoint)", node.offset, path,
        help: "write the text again without it; texts are compared byte by byte")
    case .array(let elements):
      for (index, element) in elements.enumerated() { checkTexts(of: element, at: path.appending(index)) }
    case .object(let members):
      for member in members.withoutComments { checkTexts(of: member.value, at: path.appending(member.key)) }
    case .null, .bool, .number: return
    }
  }

  private mutating func checkFlags(of node: JSONNode, at path: EventPath) {
    for key in ["shouldSendLogToOldLogger", "shouldSendLogToNewTracker"] {
      if let flag = node.member(key)?.value { checkFlag(flag, at: path.appending(key)) }
    }
    for side in ["old", "new"] {
      for sink in node.member("sinks")?.value.entries(of: side) ?? [] {
        checkFlag(sink.value, at: path.appending("sinks").appending(side).appending(sink.key))
      }
    }
  }

  private mutating func checkFlag(_ flag: JSONNode, at path: EventPath) {
    for (step, path) in elements(of: "schedule", in: flag, at: path) {
      guard let from = step.member("from")?.value, case .string(let text) = from.content else { continue }
      checkTime(text, from.offset, path.appending("from"))
    }
  }

  /// - Parameter text: a time in an accepted document, so its form is valid.
  private mutating func checkTime(_ text: String, _ offset: Int, _ path: EventPath) {
    if text.utf8.starts(with: "0000".utf8) {
      warn(.yearZero, "the step is taken in the year 0000", offset, path, help: "write the year in four digits")
    }
    if text.utf8.dropFirst("0000-00-00T00:00:".utf8.count).starts(with: "60".utf8) {
      warn(
        .leapSecond, "second 60 is read as the first one of the next minute", offset, path,
        help: "write a second from 00 to 59")
    }
  }

  private func elements(of key: String, in node: JSONNode, at path: EventPath) -> [(node: JSONNode, path: EventPath)] {
    guard case .array(let elements)? = node.member(key)?.value.content else { return [] }
    return elements.enumerated().map { ($0.element, path.appending(key).appending($0.offset)) }
  }

  private mutating func warn(
    _ code: DocumentDiagnostic.Code, _ message: String, _ offset: Int, _ path: EventPath, help: String
  ) {
    reader.report(code, message, at: offset, path: path, severity: .warning, help: help)
  }
}

extension UnicodeScalar {
  /// Whether it is a control or format character, such as a zero-width space or a mark of direction, or a space other than
  /// U+0020.
  fileprivate var isInvisible: Bool {
    switch properties.generalCategory {
    // The joiner is part of emoji and of words in several scripts.
    case .format: self != "\u{200D}" && self != "\u{200C}"
    case .control, .lineSeparator, .paragraphSeparator: true
    case .spaceSeparator: self != " "
    default: false
    }
  }

  /// The usual name of the scalar, `U+200B`.
  fileprivate var codePoint: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension JSONNode {
  /// Whether this is an object without members other than comments.
  fileprivate var isEmptyObject: Bool {
    if case .object(let members) = content { members.withoutComments.isEmpty } else { false }
  }
}
