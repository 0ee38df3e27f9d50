import DualSendCore

/// The lines of a Markdown file, and the findings.
struct MarkdownText {
  /// A line without its line break, and its number from 1.
  struct Line {
    let number: Int
    let text: Substring
  }

  /// The largest file accepted, in bytes.
  static let maximumBytes = 1 << 20

  private(set) var findings = BoundedFindings()
  /// The path for findings.
  var path = EventPath()
  private(set) var lastLine = 0
  /// Whether the file is valid text.
  private(set) var isReadable = false
  private let name: String
  private var lines: [Substring] = []

  init(_ file: EventSpecification.MarkdownFile) {
    name = file.name
    guard file.bytes.count <= Self.maximumBytes else {
      report(
        .unreadableMarkdown, "the file is longer than \(Self.maximumBytes) bytes", line: 1,
        help: "one file is about one event")
      return
    }
    let mark = SourceText.byteOrderMark
    let bytes = file.bytes.starts(with: mark) ? file.bytes.dropFirst(mark.count) : file.bytes[...]
    let text = String(decoding: bytes, as: UTF8.self)
    if let (offset, _) = zip(bytes.indices, zip(bytes, text.utf8)).first(where: { $1.0 != $1.1 }) {
      report(offset, of: file, "the text is not UTF-8 here", help: "save the file as UTF-8")
      return
    }
    if let index = text.unicodeScalars.firstIndex(where: Self.isForbidden) {
      let offset = bytes.startIndex + text.utf8.distance(from: text.startIndex, to: index)
      report(offset, of: file, "there is a control character here", help: "remove it, or use the JSON form")
      return
    }
    isReadable = true
    lines = SpecificationText.lines(of: text)
  }

  /// The next line that is not blank, without reading it.
  var upcoming: Substring? {
    lines.dropFirst(lastLine).first { line in !line.allSatisfy { $0 == " " || $0 == "\t" } }
  }

  /// Reads the next line if it meets the condition.
  mutating func next(where isWanted: (Substring) -> Bool = { _ in true }) -> Line? {
    guard lastLine < lines.count, isWanted(lines[lastLine]) else { return nil }
    lastLine += 1
    return Line(number: lastLine, text: lines[lastLine - 1])
  }

  /// Reads the next line after blank lines, if it meets the condition; otherwise reads nothing.
  mutating func nextWritten(where isWanted: (Substring) -> Bool = { _ in true }) -> Line? {
    let start = lastLine
    while next(where: { $0.allSatisfy { $0 == " " || $0 == "\t" } }) != nil {}
    if let line = next(where: isWanted) { return line }
    // At the end of the file, blank lines count as read.
    if lastLine < lines.count { lastLine = start }
    return nil
  }

  func place(line: Int, column: Int = 1) -> PlacedEvent.Place {
    PlacedEvent.Place(file: name, position: DocumentDiagnostic.Position(line: line, column: column), path: path)
  }

  mutating func report(
    _ code: DocumentDiagnostic.Code, _ message: String, line: Int, column: Int = 1, help: String? = nil
  ) {
    let place = place(line: line, column: column)
    findings.report(DocumentDiagnostic(code, message, at: place, help: help))
  }

  private mutating func report(
    _ offset: Int, of file: EventSpecification.MarkdownFile, _ message: String, help: String
  ) {
    let position = SourceText(file.bytes, name: name).position(at: offset)
    report(.unreadableMarkdown, message, line: position.line, column: position.column, help: help)
  }

  /// Control characters other than line breaks and tabs, and formatting characters.
  static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: false
    case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

// MARK: - Code span

/// A code span (CommonMark 0.31, section 6.1): a text between backtick strings of equal length.
enum CodeSpan {
  /// Whether a text can be a code span: not empty, on one line, without control characters.
  static func isWritable(_ text: String) -> Bool {
    !text.isEmpty && !text.unicodeScalars.contains { MarkdownText.isForbidden($0) || ["\n", "\r", "\t"].contains($0) }
  }

  /// The text as a code span.
  static func text(_ text: String) -> String {
    var (longest, run) = (0, 0)
    for scalar in text.unicodeScalars {
      run = scalar == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    let needsSpace =
      text.hasPrefix("`") || text.hasSuffix("`")
      || (text.hasPrefix(" ") && text.hasSuffix(" ") && !isBlank(text))
    return needsSpace ? "\(fence) \(text) \(fence)" : fence + text + fence
  }

  /// Reads and removes the code span at the start of the text; `nil` if there is none.
  static func read(_ rest: inout Substring.UnicodeScalarView) -> String? {
    let fence = rest.prefix { $0 == "`" }.count
    guard fence > 0 else { return nil }
    var inner = rest.dropFirst(fence)
    let start = inner.startIndex
    while !inner.isEmpty {
      inner = inner.drop { $0 != "`" }
      let run = inner.prefix { $0 == "`" }.count
      if run == fence {
        let text = String(Substring(rest[start..<inner.startIndex]))
        rest = inner.dropFirst(run)
        return unpadded(text)
      }
      inner = inner.dropFirst(run)
    }
    return nil
  }

  private static func unpadded(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count > 2, scalars.first == " ", scalars.last == " ", !isBlank(text) else { return text }
    return String(Substring(scalars.dropFirst().dropLast()))
  }

  private static func isBlank(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0 == " " }
  }
}
