public import DualSendCore

/// Formats findings for people, programs or GitHub workflows.
public struct DiagnosticRenderer: Sendable {
  /// The output style.
  public enum Style: Sendable, Hashable {
    /// Text, optionally coloured with ANSI escapes.
    case text(isColored: Bool)
    /// A JSON array.
    case json
    /// GitHub workflow annotations, one per line.
    case github
  }

  private let style: Style

  /// Creates a renderer.
  public init(_ style: Style) {
    self.style = style
  }

  /// Renders findings sorted by place; empty if there are none.
  public func render(_ diagnostics: [DocumentDiagnostic]) -> String {
    let sorted = diagnostics.sorted()
    switch style {
    case .text(let isColored):
      return sorted.map { text($0, isColored: isColored) }.joined(separator: "\n\n")
    case .json: return PrintableText.lines(Self.value(diagnostics).canonicalText)
    case .github: return sorted.map(annotation).joined(separator: "\n")
    }
  }

  /// The sorted findings as a JSON array, for commands that return them as a result.
  public static func value(_ diagnostics: [DocumentDiagnostic]) -> EventValue {
    .array(diagnostics.sorted().map(json))
  }

  private func text(_ diagnostic: DocumentDiagnostic, isColored: Bool) -> String {
    let text = PrintableText.lines(diagnostic.description)
    guard isColored else { return text }
    let head = "\(diagnostic.severity.rawValue)[\(diagnostic.code.rawValue)]"
    let color = diagnostic.severity == .error ? "\u{1B}[1;31m" : "\u{1B}[1;33m"
    return color + head + "\u{1B}[0m" + text.dropFirst(head.count)
  }

  private static func json(_ diagnostic: DocumentDiagnostic) -> EventValue {
    var members: [String: EventValue] = [
      "severity": .string(diagnostic.severity.rawValue), "code": .string(diagnostic.code.rawValue),
      "message": .string(diagnostic.message),
    ]
    if let file = diagnostic.printableFile { members["file"] = .string(file) }
    if let position = diagnostic.position {
      members["line"] = .int(Int64(position.line))
      members["column"] = .int(Int64(position.column))
    }
    if let path = diagnostic.printablePath { members["path"] = .string(path) }
    if !diagnostic.notes.isEmpty { members["notes"] = .array(diagnostic.notes.map { .string($0) }) }
    if let help = diagnostic.help { members["help"] = .string(help) }
    return .object(members)
  }

  /// `::error file=…,line=…,col=…,title=…::message` (GitHub Docs, "Workflow commands for GitHub Actions").
  private func annotation(_ diagnostic: DocumentDiagnostic) -> String {
    var properties: [String] = []
    if let file = diagnostic.printableFile { properties.append("file=" + escapedProperty(file)) }
    if let position = diagnostic.position { properties.append("line=\(position.line),col=\(position.column)") }
    properties.append("title=" + escapedProperty(diagnostic.code.rawValue))
    let notes = diagnostic.notes.map { "note: " + $0 } + (diagnostic.help.map { ["help: " + $0] } ?? [])
    let message = ([diagnostic.message] + notes).joined(separator: "\n")
    return "::\(diagnostic.severity.rawValue) \(properties.joined(separator: ","))::\(escaped(message))"
  }

  private func escaped(_ text: String) -> String {
    PrintableText.lines(text).replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private func escapedProperty(_ text: String) -> String {
    escaped(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
