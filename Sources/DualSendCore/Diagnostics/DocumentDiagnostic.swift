/// One finding about a document: the problem, its place and the fix. Never holds a payload's values.
///
/// Its texts are safe to print: control characters are escaped, long texts are shortened, and secrets in URLs are
/// removed.
public struct DocumentDiagnostic: Sendable, Hashable {
  /// The severity.
  public enum Severity: String, Sendable, Hashable, Comparable {
    /// The document is refused.
    case error
    /// The document is accepted, but is probably not as intended.
    case warning

    /// Errors come first.
    public static func < (left: Severity, right: Severity) -> Bool {
      left == .error && right == .warning
    }
  }

  /// A stable code, such as `DS0103`. It keeps its meaning across versions.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// `DS` and four digits.
    public let rawValue: String

    /// Creates a code.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The severity.
  public let severity: Severity
  /// The kind of finding.
  public let code: Code
  /// One factual line.
  public let message: String
  /// The file name that the caller gave.
  public let file: String?
  /// The line and column, if known.
  public let position: DocumentDiagnostic.Position?
  /// The place inside the document.
  public let path: EventPath
  /// Further facts.
  public let notes: [String]
  /// How to fix it.
  public let help: String?

  /// Creates a finding.
  package init(
    _ severity: Severity, _ code: Code, _ message: String, file: String? = nil,
    position: DocumentDiagnostic.Position? = nil,
    path: EventPath = EventPath(), notes: [String] = [], help: String? = nil
  ) {
    self.severity = severity
    self.code = code
    self.message = Self.line(message)
    self.file = file
    self.position = position
    self.path = path
    self.notes = notes.map(Self.line)
    self.help = help.map(Self.line)
  }
}

extension DocumentDiagnostic: CustomStringConvertible, Comparable {
  /// The finding as the command line prints it, on several lines.
  public var description: String {
    var lines = ["\(severity.rawValue)[\(code.rawValue)]: \(message)"]
    if let place { lines.append("  --> " + place) }
    lines += notes.map { "   = note: " + $0 }
    if let help { lines.append("   = help: " + help) }
    return lines.joined(separator: "\n")
  }

  /// File, position and path on one line; `nil` if the finding has none of them.
  package var place: String? {
    var place = printableFile ?? ""
    if let position { place += (place.isEmpty ? "" : ":") + "\(position.line):\(position.column)" }
    if let path = printablePath { place += (place.isEmpty ? "" : "  ") + path }
    return place.isEmpty ? nil : place
  }

  /// The file's name, escaped for printing.
  package var printableFile: String? {
    file.map(Self.line)
  }

  /// The place inside the document, escaped for printing; `nil` if the finding is about the whole document.
  package var printablePath: String? {
    path.steps.isEmpty ? nil : path.quotedDescription.printable(limit: PrintableText.lineLimit)
  }

  private static func line(_ text: String) -> String {
    text.hidingSecrets.printable(limit: PrintableText.lineLimit)
  }

  /// Orders by file, position, code, path and message, so that the output is deterministic.
  public static func < (left: DocumentDiagnostic, right: DocumentDiagnostic) -> Bool {
    let start = DocumentDiagnostic.Position(line: 0, column: 0)
    let (leftKey, rightKey) = (
      (left.file ?? "", left.position ?? start, left.code.rawValue, left.path, left.message),
      (right.file ?? "", right.position ?? start, right.code.rawValue, right.path, right.message)
    )
    return leftKey < rightKey
  }
}

/// A document was rejected. No part of it takes effect.
public struct DocumentError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Every finding, errors and warnings, sorted by place; at least one is an error.
  public let diagnostics: [DocumentDiagnostic]

  /// Creates an error from its findings.
  package init(_ diagnostics: [DocumentDiagnostic]) {
    self.diagnostics = diagnostics.inOrder()
  }

  /// Every finding as the command line prints it.
  public var description: String {
    diagnostics.map(\.description).joined(separator: "\n\n")
  }
}

extension DocumentDiagnostic {
  /// A place in a text. Both numbers count from 1; the column counts Unicode scalars.
  public struct Position: Sendable, Hashable, Comparable {
    /// The line.
    public let line: Int
    /// The column.
    public let column: Int

    /// Creates a position.
    package init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }

    /// Orders by line, then column.
    public static func < (left: Position, right: Position) -> Bool {
      (left.line, left.column) < (right.line, right.column)
    }
  }
}

/// Warnings that a document silences. `"allow": ["DS0112"]` in an event, a row or a rule applies to it and to
/// everything inside it.
package struct WarningAllowance: Sendable, Hashable {
  /// The element that has the `allow`.
  package let path: EventPath
  /// The codes of the list.
  package let codes: [String]

  /// Whether a finding is silenced. Errors cannot be silenced.
  package func covers(_ finding: DocumentDiagnostic) -> Bool {
    finding.severity == .warning && covers(finding.code, at: finding.path)
  }

  /// Whether a warning with this code and place is silenced.
  func covers(_ code: DocumentDiagnostic.Code, at path: EventPath) -> Bool {
    codes.contains(code.rawValue) && path.steps.starts(with: self.path.steps)
  }
}

// MARK: - Bounded findings

/// Collects findings up to ``DocumentReader/maximumFindings``, and counts the others.
package struct BoundedFindings: Sendable {
  private var findings: [DocumentDiagnostic] = []
  /// The number of findings that are not kept.
  private var hidden = 0

  /// Starts with some findings.
  package init(_ findings: [DocumentDiagnostic] = []) {
    self.findings = findings
  }

  /// Adds a finding. Beyond the maximum only counts it, without evaluating it.
  ///
  /// One more than the maximum is kept, for the position of the others.
  package mutating func report(_ finding: @autoclosure () -> DocumentDiagnostic) {
    if findings.count <= DocumentReader.maximumFindings { findings.append(finding()) } else { hidden += 1 }
  }

  /// Adds the findings of another collection.
  package mutating func add(_ other: BoundedFindings) {
    findings += other.findings
    hidden += other.hidden
  }

  /// Whether there are no findings.
  package var isEmpty: Bool { findings.isEmpty }

  /// The first findings by position, and one that counts the others.
  package var diagnostics: [DocumentDiagnostic] {
    let sorted = findings.inOrder()
    let shown = sorted.prefix(DocumentReader.maximumFindings)
    guard let first = sorted.dropFirst(shown.count).first else { return sorted }
    let count = sorted.count - shown.count + hidden
    return shown + [
      DocumentDiagnostic(
        first.severity, .moreFindings, "and \(count) more, from here on", file: first.file, position: first.position)
    ]
  }
}

// MARK: - Counted noun

extension BinaryInteger {
  /// The number with a comma between groups of three digits, in every locale.
  package var grouped: String {
    let digits = String(magnitude)
    var text = self < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }

  /// The number with its noun: `1 error`, `2 errors`.
  package func counted(_ noun: String) -> String {
    "\(grouped) \(noun)" + (self == 1 ? "" : "s")
  }
}
