public import DualSendCore

extension EventSpecification {
  /// One Markdown file of a specification.
  public struct MarkdownFile: Sendable {
    /// The name for diagnostics, usually the path.
    public var name: String
    /// The file, UTF-8.
    public var bytes: [UInt8]

    /// Creates a file.
    public init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// Reads the Markdown files of a specification, one for each event.
  ///
  /// - Parameter files: the files, in any order.
  /// - Throws: all findings in all files; at most 100, and the number of the others.
  public init(markdown files: [MarkdownFile]) throws(DocumentError) {
    var events: [PlacedEvent] = []
    var findings = BoundedFindings()
    for file in files.sorted(by: { String.byteOrder($0.name, $1.name) }) {
      let reader = MarkdownEventReader(file)
      if let event = reader.event { events.append(event) }
      findings.add(reader.findings)
    }
    if files.isEmpty {
      findings.report(
        DocumentDiagnostic(
          .error, .noEvents, "no event is specified",
          help: "write a Markdown file for each event; `README.md` and hidden files are passed over"))
    }
    try self.init(checking: events, after: findings)
  }
}

extension EventSpecification.Event {
  /// The event as a Markdown file; `nil` if a name, a key or a value cannot be written there, for example because it
  /// has a line break.
  public var markdown: String? {
    let texts = [name] + parameters.flatMap { [$0.key] + $0.values.map(\.plainText) }
    let swiftNames = ([swiftName] + parameters.map(\.swiftName)).compactMap { $0 }
    guard (texts + swiftNames).allSatisfy(CodeSpan.isWritable), isDescriptionWritable,
      parameters.allSatisfy({ Self.isWritable($0.description) && !$0.description.contains("\n\n") }),
      Self.isFree(discussion), !SpecificationText.lines(of: discussion).contains(where: MarkdownEventReader.isSection)
    else { return nil }
    var blocks = ["# " + CodeSpan.text(name)]
    if let swiftName { blocks.append("Swift name: " + CodeSpan.text(swiftName)) }
    if !description.isEmpty { blocks.append(description) }
    if !parameters.isEmpty {
      blocks.append("## Parameters")
      blocks.append(parameters.map(\.markdown).joined(separator: "\n"))
    }
    if !discussion.isEmpty { blocks += ["## Discussion", discussion] }
    return blocks.joined(separator: "\n\n") + "\n"
  }
}

extension EventSpecification.Event {
  private var isDescriptionWritable: Bool {
    Self.isFree(description) && !description.hasPrefix(MarkdownEventReader.swiftNamePrefix)
      && !SpecificationText.lines(of: description).contains { $0.hasPrefix("# ") || $0.hasPrefix("## ") }
  }

  /// Whether a parameter's description round-trips: no blank and no indented lines.
  private static func isWritable(_ text: String) -> Bool {
    isFree(text) && !SpecificationText.lines(of: text).contains { $0.hasPrefix(" ") }
  }

  private static func isFree(_ text: String) -> Bool {
    SpecificationText.trimmed(text).isExactly(text) && !text.unicodeScalars.contains(where: MarkdownText.isForbidden)
  }
}

extension EventSpecification.Parameter {
  fileprivate var markdown: String {
    var words = [type.description]
    if isNullable { words.append("nullable") }
    if let swiftName { words.append("swift " + CodeSpan.text(swiftName)) }
    if !values.isEmpty { words.append("one of " + values.map { CodeSpan.text($0.plainText) }.joined(separator: ", ")) }
    let lines = description.split(separator: "\n", omittingEmptySubsequences: true).joined(separator: "\n  ")
    return "- " + CodeSpan.text(key) + " (" + words.joined(separator: ", ") + ")" + (lines.isEmpty ? "" : ": " + lines)
  }
}

extension EventValue {
  /// Strings unchanged, other values as JSON.
  fileprivate var plainText: String {
    if case .string(let text) = self { text } else { canonicalText }
  }
}
