import DualSendCommandLine
import DualSendCore
import DualSendParity
import DualSendRemapping
import DualSendSQL

/// The part of a normalisation that a query can apply: the paths that are not compared.
struct NormalisationInSQL {
  let ignored: [KeyPathPattern]
  /// One error for each rule that a query cannot apply.
  let findings: [DocumentDiagnostic]

  /// - Parameter argument: a preset, or a file.
  init(_ argument: String) throws {
    if let preset = Normalisation.presets[argument] {
      ignored = preset.ignored
      findings =
        preset == .none
        ? [] : [Self.finding("a query cannot do to payloads what `\(argument)` says", file: nil, nil, [])]
      return
    }
    let bytes = try InputFile.bytes(argument)
    ignored = try Normalisation(bytes, name: argument).ignored
    findings = try Self.findings(try JSONReader().document(bytes, name: argument), file: argument)
  }

  private static func findings(_ document: JSONDocument, file: String) throws -> [DocumentDiagnostic] {
    guard case .object(let members) = document.root.content else { return [] }
    return members.filter { Normalisation.keys.contains($0.key) && $0.key != "ignore" && !changesNothing($0) }.map {
      rule in
      finding(
        "a query cannot apply `\(rule.key)` exactly", file: file, document.source.position(at: rule.keyOffset),
        [.key(rule.key)])
    }
  }

  private static func changesNothing(_ member: JSONNode.Member) -> Bool {
    switch member.value.content {
    case .null: true
    case .string(let word): word == "none" || word == "keep"
    default: false
    }
  }

  private static func finding(
    _ message: String, file: String?, _ position: DocumentDiagnostic.Position?, _ path: [EventPath.Step]
  ) -> DocumentDiagnostic {
    DocumentDiagnostic(
      .error, .notInSQL, message, file: file, position: position, path: EventPath(path),
      notes: ["texts are cut at grapheme clusters, and no engine counts those by the current version of Unicode"],
      help: "compare with `dualsend parity`, which applies it")
  }
}

/// The name of a relation that needs no quotes in SQL: `lines`, `events.old_lines`.
enum SQLRelationName {
  static func isOne(_ text: String) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
      part.utf8.first.map { !(48...57).contains($0) } ?? false
        && part.utf8.allSatisfy { byte in
          (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == UInt8(ascii: "_")
        }
    }
  }
}
