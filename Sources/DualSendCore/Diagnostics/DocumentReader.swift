/// Reads the parts of a JSON document and collects every error, so that one run reports all of them.
///
/// The modules that own a format (the remapping table, the rollout document) walk the nodes themselves. This type
/// supplies places, unknown keys and type errors.
package struct DocumentReader {
  /// The most findings kept. Further ones are only counted, because a hostile document could hold millions.
  package static let maximumFindings = 100

  private struct Finding {
    let severity: DocumentDiagnostic.Severity
    let code: DocumentDiagnostic.Code
    let message: String
    let offset: Int
    let path: EventPath
    let notes: [String]
    let help: String?
  }

  /// The document, with the place of every key and value.
  package let document: JSONDocument
  /// Whether findings have lines and columns. `false` for a text that the program generated.
  package var hasPlaces = true
  /// Whether an error was found so far.
  package private(set) var hasErrors = false
  /// The warnings that the document silences.
  package private(set) var allowances: [WarningAllowance] = []
  private var findings: [Finding] = []
  private var overflow: (severity: DocumentDiagnostic.Severity, offset: Int, count: Int)?

  /// Reads the text, or reports why it is not JSON as one `DS0001` finding.
  package init(_ bytes: some Sequence<UInt8>, name: String?, reader: JSONReader = JSONReader()) throws(DocumentError) {
    do {
      document = try reader.document(bytes, name: name)
    } catch {
      throw DocumentError([error.diagnostic(in: SourceText(bytes, name: name))])
    }
  }

  /// The findings so far: at most ``maximumFindings``, and one that counts the rest. Scans the text once.
  package var diagnostics: [DocumentDiagnostic] {
    let source = document.source
    let positions = source.positions(at: Set(findings.map(\.offset) + [overflow?.offset].compactMap { $0 }))
    var diagnostics = findings.map { finding in
      DocumentDiagnostic(
        finding.severity, finding.code, finding.message, file: source.name,
        position: hasPlaces ? positions[finding.offset] : nil, path: finding.path, notes: finding.notes,
        help: finding.help)
    }
    if let overflow {
      diagnostics.append(
        DocumentDiagnostic(
          overflow.severity, .moreFindings, "and \(overflow.count) more, from here on", file: source.name,
          position: positions[overflow.offset]))
    }
    return diagnostics
  }

  /// Adds a finding, unless it is a silenced warning. Beyond ``maximumFindings`` only counts it, without evaluating
  /// `help`.
  package mutating func report(
    _ code: DocumentDiagnostic.Code, _ message: String, at offset: Int, path: EventPath,
    severity: DocumentDiagnostic.Severity = .error, notes: [String] = [], help: @autoclosure () -> String? = nil
  ) {
    if severity == .error { hasErrors = true }
    if severity == .warning, allowances.contains(where: { $0.covers(code, at: path) }) { return }
    guard findings.count < Self.maximumFindings else {
      overflow = (
        min(overflow?.severity ?? severity, severity), overflow?.offset ?? offset, (overflow?.count ?? 0) + 1
      )
      return
    }
    findings.append(
      Finding(
        severity: severity, code: code, message: message, offset: offset, path: path, notes: notes, help: help()))
  }

  /// The members of an object by key. Reports a wrong type as `DS0002` and every unknown key as `DS0003`; comments are
  /// allowed.
  package mutating func members(
    of node: JSONNode, at path: EventPath, known: [String]
  ) -> [String: JSONNode.Member]? {
    guard case .object(let members) = node.content else {
      wrongType(node, at: path, expected: "an object")
      return nil
    }
    for member in members where !known.contains(member.key) && !member.isComment {
      report(
        .unknownKey, "unknown key `\(member.key)`", at: member.keyOffset, path: path.appending(member.key),
        help: nearestWord(to: member.key, among: known).map { "did you mean `\($0)`?" }
          ?? "known keys: " + known.inOrder().joined(separator: ", "))
    }
    return Dictionary(members.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Reads an `allow` list, which silences warnings at a place and inside it. Reports anything but a list of codes as
  /// `DS0008`.
  package mutating func readAllowance(_ member: JSONNode.Member?, at path: EventPath) {
    guard let member else { return }
    var codes: [String] = []
    for (node, path) in elements(member.value, at: path.appending(member.key)) ?? [] {
      guard let text = string(node, at: path) else { continue }
      if DocumentDiagnostic.Code(rawValue: text).isWellFormed {
        codes.append(text)
      } else {
        report(
          .invalidAllowance, "`\(text)` is not the code of a warning", at: node.offset, path: path,
          help: "a code is `DS` and four digits, such as `DS0112`")
      }
    }
    allowances.append(WarningAllowance(path: path, codes: codes))
  }

  /// Whether this version can read the document's format. Reports any other format as `DS0005`.
  ///
  /// If this returns `false`, report nothing else: another format may give the keys another meaning. A missing or
  /// malformed `formatVersion` is reported and gives `true`, so that the other findings are still reported.
  package mutating func hasFormat(_ supported: Int64) -> Bool {
    format(among: supported...supported) != nil
  }

  /// The document's format, for a kind of document that this version reads in several formats. Reports any other format
  /// as `DS0005` and returns `nil`.
  ///
  /// A missing or malformed `formatVersion` is reported and counts as the newest format.
  package mutating func format(among supported: ClosedRange<Int64>) -> Int64? {
    let root = document.root
    // ``members(of:at:known:)`` would report the keys of another format as unknown.
    guard case .object(let members) = root.content else { return supported.upperBound }
    let path = EventPath([.key("formatVersion")])
    let found = members.first { $0.key == "formatVersion" }
    guard let node = found?.value else {
      reportMissing(
        "formatVersion", in: root, at: EventPath(), help: "add `\"formatVersion\": \(supported.lowerBound)`")
      return supported.upperBound
    }
    guard case .number(let number) = node.content else {
      wrongType(node, at: path, expected: "a whole number")
      return supported.upperBound
    }
    if case .int(let format) = number.eventValue, supported.contains(format) { return format }
    report(
      .unsupportedFormat, "format version \(number.text) cannot be read", at: node.offset, path: path,
      help: supported.count == 1
        ? "this version reads format \(supported.lowerBound)"
        : "this version reads formats \(supported.lowerBound) to \(supported.upperBound)")
    return nil
  }

  /// The member of a required key. Reports a missing key as `DS0004`.
  package mutating func member(
    _ key: String, of members: [String: JSONNode.Member], in node: JSONNode, at path: EventPath,
    help: @autoclosure () -> String? = nil
  ) -> JSONNode.Member? {
    if let member = members[key] { return member }
    reportMissing(key, in: node, at: path, help: help())
    return nil
  }

  private mutating func reportMissing(_ key: String, in node: JSONNode, at path: EventPath, help: String?) {
    report(
      .missingKey, "`\(key)` is missing", at: node.offset, path: path, help: help ?? "add `\"\(key)\": …`")
  }

  /// Reads a string that must be one of `known`. Reports any other with the nearest known one.
  ///
  /// - Parameter kind: the noun for the string in messages.
  package mutating func word(
    _ node: JSONNode, at path: EventPath, among known: [String], code: DocumentDiagnostic.Code, kind: String = "word"
  ) -> String? {
    guard let text = string(node, at: path) else { return nil }
    if known.contains(text) { return text }
    let nearest = nearestWord(to: text, among: known).map { "did you mean `\($0)`? " } ?? ""
    report(
      code, "unknown \(kind) `\(text)`", at: node.offset, path: path,
      help: nearest + "one of " + known.map { "`\($0)`" }.joined(separator: ", "))
    return nil
  }

  /// Reads a string that must be a raw value of `Word`.
  package mutating func word<Word: RawRepresentable & CaseIterable>(
    _ node: JSONNode, at path: EventPath, code: DocumentDiagnostic.Code, kind: String = "word"
  ) -> Word? where Word.RawValue == String {
    word(node, at: path, among: Word.allCases.map(\.rawValue), code: code, kind: kind).flatMap(Word.init)
  }

  /// Reads a string. Reports another type as `DS0002`.
  package mutating func string(_ node: JSONNode, at path: EventPath) -> String? {
    if case .string(let text) = node.content { return text }
    wrongType(node, at: path, expected: "a string")
    return nil
  }

  /// Reads a boolean. Reports another type as `DS0002`.
  package mutating func bool(_ node: JSONNode, at path: EventPath) -> Bool? {
    if case .bool(let flag) = node.content { return flag }
    wrongType(node, at: path, expected: "`true` or `false`", help: node.withoutQuotes(\.isBool))
    return nil
  }

  /// Reads an integer that fits `Int64`. Reports anything else as `DS0002`.
  package mutating func integer(_ node: JSONNode, at path: EventPath) -> Int64? {
    if case .number(let number) = node.content {
      if case .int(let integer) = number.eventValue { return integer }
      report(
        .wrongType, "expected a whole number, found \(number.fault)", at: node.offset, path: path,
        help: number.withoutFraction)
    } else {
      wrongType(node, at: path, expected: "a whole number", help: node.withoutQuotes(\.isInteger))
    }
    return nil
  }

  /// Reads an array: its elements with their paths. Reports another type as `DS0002`.
  package mutating func elements(_ node: JSONNode, at path: EventPath) -> [(node: JSONNode, path: EventPath)]? {
    if case .array(let elements) = node.content {
      return elements.enumerated().map { ($0.element, path.appending($0.offset)) }
    }
    wrongType(node, at: path, expected: "an array", help: node.inBrackets)
    return nil
  }

  /// The members of an object without comments; `nil` and an error if the value is not an object.
  package mutating func entries(
    _ node: JSONNode, at path: EventPath, expected: String = "an object"
  ) -> [JSONNode.Member]? {
    if case .object(let members) = node.content { return members.withoutComments }
    wrongType(node, at: path, expected: expected)
    return nil
  }

  /// Reports a value of the wrong type, as `DS0002`.
  package mutating func wrongType(
    _ node: JSONNode, at path: EventPath, expected: String, help: String? = nil
  ) {
    report(.wrongType, "expected \(expected), found \(node.typeDescription)", at: node.offset, path: path, help: help)
  }
}

extension DocumentDiagnostic.Code {
  /// The text is not JSON.
  static let invalidJSON = DocumentDiagnostic.Code(rawValue: "DS0001")
  /// A value has the wrong JSON type.
  package static let wrongType = DocumentDiagnostic.Code(rawValue: "DS0002")
  /// The format does not define this key.
  package static let unknownKey = DocumentDiagnostic.Code(rawValue: "DS0003")
  /// A required key is missing.
  package static let missingKey = DocumentDiagnostic.Code(rawValue: "DS0004")
  /// This version cannot read the format.
  package static let unsupportedFormat = DocumentDiagnostic.Code(rawValue: "DS0005")
  /// There are more findings than ``DocumentReader/maximumFindings``.
  package static let moreFindings = DocumentDiagnostic.Code(rawValue: "DS0006")
  /// Two keys of one object are canonically equivalent in Unicode, but their bytes differ.
  package static let equivalentKeys = DocumentDiagnostic.Code(rawValue: "DS0007")
  /// An entry of `allow` is not a code.
  static let invalidAllowance = DocumentDiagnostic.Code(rawValue: "DS0008")

  /// Whether the code is `DS` and four digits.
  var isWellFormed: Bool {
    rawValue.utf8.count == 6 && rawValue.hasPrefix("DS")
      && rawValue.utf8.dropFirst(2).allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}

extension JSONError {
  /// The error as a finding with its place in the text.
  package func diagnostic(in source: SourceText) -> DocumentDiagnostic {
    DocumentDiagnostic(
      .error, code, description, file: source.name, position: source.position(at: offset),
      help: source.otherFormatHelp(faultAt: offset) ?? help)
  }

  private var code: DocumentDiagnostic.Code {
    if case .equivalentKeys = reason { return .equivalentKeys }
    return .invalidJSON
  }
}

extension SourceText {
  /// Says what a text seems to be that is no JSON from its start on; `nil` for any other.
  fileprivate func otherFormatHelp(faultAt offset: Int) -> String? {
    let text = bytes.starts(with: Self.byteOrderMark) ? bytes.dropFirst(Self.byteOrderMark.count) : bytes[...]
    guard let start = text.firstIndex(where: { $0 > 0x20 }), offset <= start + 8 else { return nil }
    let line = bytes[start...].prefix(200).prefix { $0 != 0x0A }
    if bytes[start] == UInt8(ascii: "<") {
      return "this is a web page or XML: check the address, and whether it asks for a login"
    }
    var (scalars, utf8) = (line.makeIterator(), Unicode.UTF8())
    if case .error = utf8.decode(&scalars) {
      return "this is not text: unpack it first; a server may have compressed it with brotli"
    }
    if line.starts(with: "---".utf8) || line.first.map(isLetter) == true && line.contains(UInt8(ascii: ":")) {
      return "this looks like YAML: `yq -o json` makes JSON of it"
    }
    return nil
  }

  private func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
}

// MARK: - Advice

/// Suggests a fix for a value of the wrong type. Long values are not repeated.
extension JSONNode {
  private static let longestAdvice = 40

  /// Suggests to remove the quotes of a string that holds a value that fits; `nil` for any other.
  package func withoutQuotes(_ fits: (JSONNode) -> Bool) -> String? {
    guard case .string(let text) = content, Self.isShort(text, and: fits) else { return nil }
    return "remove the quotes: `\(text)`"
  }

  /// Suggests how to write a percentage that is quoted, with or without `%`; `nil` for anything else.
  package var plainPercentage: String? {
    guard case .string(let text) = content, text.hasSuffix("%") else { return withoutQuotes(\.isNumber) }
    let number = text.dropLast().split(separator: " ").joined(separator: " ")
    return Self.isShort(number, and: \.isNumber) ? "a percentage is a plain number: `\(number)`" : nil
  }

  /// Whether a text is short and is the JSON of a value that fits.
  private static func isShort(_ text: String, and fits: (JSONNode) -> Bool) -> Bool {
    guard text.utf8.count <= longestAdvice else { return false }
    return (try? JSONReader().document(text.utf8).root).map(fits) ?? false
  }

  /// Suggests brackets for a string where an array of strings is expected; `nil` for anything else.
  package var inBrackets: String? {
    guard case .string(let text) = content, text.utf8.count <= Self.longestAdvice else { return nil }
    return "put it into brackets: `\(EventValue.array([.string(text)]).canonicalText)`"
  }

  /// Whether this is `true` or `false`.
  package var isBool: Bool {
    if case .bool = content { true } else { false }
  }

  /// Whether this is a number.
  var isNumber: Bool {
    if case .number = content { true } else { false }
  }

  /// Whether this is a whole number that fits `Int64`.
  var isInteger: Bool {
    if case .number(let number) = content, case .int = number.eventValue { true } else { false }
  }
}

extension JSONNode.Number {
  private static let longestQuote = 24

  /// The number for a message, shortened if it is long.
  package var quotation: String {
    text.utf8.count <= Self.longestQuote ? text : text.prefix(Self.longestQuote) + "…"
  }

  /// Why the number is not an `Int64`.
  var fault: String {
    isInteger ? "\(quotation), which is too large" : "\(quotation), which has a fraction or an exponent"
  }

  /// Suggests the number without its fraction, if the fraction is zero.
  var withoutFraction: String? {
    guard !isInteger, case .double(let number) = eventValue, let whole = Int64(exactly: number) else { return nil }
    return "write it as `\(whole)`"
  }
}

// MARK: - Nearest word

/// The known word nearest to a misspelt one; `nil` if none is near.
///
/// Near means an edit distance (insert, delete, replace, swap neighbours) of at most a third of the word's length, and
/// at least 1.
package func nearestWord(to word: String, among known: some Sequence<String>) -> String? {
  let length = word.count
  let limit = max(1, length / 3)
  // The distance is at least the difference in length, so very long words are rejected without computing it.
  let ranked = known.filter { abs($0.count - length) <= limit }
    .map { (distance: editDistance(word.lowercased(), $0.lowercased()), word: $0) }
  return ranked.filter { $0.distance <= limit }.min { ($0.distance, $0.word) < ($1.distance, $1.word) }?.word
}

/// The restricted Damerau–Levenshtein distance.
func editDistance(_ left: String, _ right: String) -> Int {
  let (a, b) = (Array(left), Array(right))
  var beforePrevious: [Int] = []
  var previous = Array(0...b.count)
  for i in 0..<a.count {
    var current = [i + 1]
    for j in 0..<b.count {
      var best = min(previous[j + 1] + 1, current[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforePrevious[j - 1] + 1) }
      current.append(best)
    }
    (beforePrevious, previous) = (previous, current)
  }
  return previous[b.count]
}
