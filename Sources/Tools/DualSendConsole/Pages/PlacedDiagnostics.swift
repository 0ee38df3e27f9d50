import DualSendCommands
import DualSendCore

/// Findings for an editor, with start and end columns in UTF-16 units.
struct PlacedDiagnostics {
  private let lines: [Substring]

  /// - Parameter text: the text that the findings refer to.
  init(in text: String) {
    // Editors do not count a byte order mark.
    let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
  }

  func json(_ findings: [DocumentDiagnostic]) -> EventValue {
    .array(findings.sorted().map(json))
  }

  private func json(_ finding: DocumentDiagnostic) -> EventValue {
    var members: [String: EventValue] = [
      "severity": .string(finding.severity.rawValue), "code": .string(finding.code.rawValue),
      "message": .string(finding.message), "help": finding.help.map { .string($0) } ?? .null,
      "notes": .array(finding.notes.map { .string($0) }), "line": .null, "column": .null, "endColumn": .null,
      "pointer": .string(finding.path.jsonPointer),
    ]
    if let position = finding.position {
      let (start, end) = columns(at: position)
      members["line"] = .int(Int64(position.line))
      members["column"] = .int(Int64(start))
      members["endColumn"] = .int(Int64(end))
    }
    return .object(members)
  }

  /// The start of a position, and the end of the word or string there, both from 1 in UTF-16 units.
  func columns(at position: DocumentDiagnostic.Position) -> (start: Int, end: Int) {
    guard lines.indices.contains(position.line - 1) else { return (1, 1) }
    let line = lines[position.line - 1].unicodeScalars
    let before = line.prefix(position.column - 1)
    let word = Self.word(line.dropFirst(position.column - 1))
    let start = before.reduce(1) { $0 + UTF16.width($1) }
    return (start, start + max(1, word.reduce(0) { $0 + UTF16.width($1) }))
  }

  private static func word(_ rest: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
    guard rest.first == "\"" else { return rest.prefix { !" \t,:{}[]\"".unicodeScalars.contains($0) } }
    var isEscaped = false
    for index in rest.indices.dropFirst() {
      if isEscaped {
        isEscaped = false
      } else if rest[index] == "\\" {
        isEscaped = true
      } else if rest[index] == "\"" {
        return rest[...index]
      }
    }
    return rest
  }
}

extension EventPath {
  /// The path as a JSON pointer (RFC 6901).
  var jsonPointer: String {
    steps.map { step in
      switch step {
      case .key(let key): "/" + key.replacing("~", with: "~0").replacing("/", with: "~1")
      case .index(let index): "/\(index)"
      }
    }.joined()
  }
}
