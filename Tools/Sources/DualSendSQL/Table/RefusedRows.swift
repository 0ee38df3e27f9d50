package import DualSendCore
import DualSendRemapping

/// Finds the rows of a table that a query cannot apply exactly.
package struct RefusedRows {
  private let document: JSONDocument
  private let knowsNormalForms: Bool

  /// - Parameter bytes: a valid table.
  package init(_ bytes: [UInt8], name: String, in dialect: ComparisonQuery.Dialect) throws {
    document = try JSONReader().document(bytes, name: name)
    knowsNormalForms = dialect.sql.knowsNormalForms
  }

  /// One error for each row.
  package var findings: [DocumentDiagnostic] {
    member("events", of: document.root).flatMap { entry in
      let path = [EventPath.Step.key("events"), .key(entry.key)]
      let rows = member("parameters", of: entry.value).flatMap { row in
        findings(of: row, path + [.key("parameters"), .key(row.key)])
      }
      let constants = member("add", of: entry.value).compactMap { constant in
        unclear(constant.key, constant.keyOffset, path + [.key("add"), .key(constant.key)])
      }
      return rows + constants
    }
  }

  private func findings(of row: JSONNode.Member, _ path: [EventPath.Step]) -> [DocumentDiagnostic] {
    let targets = member("to", of: row.value, isObject: false)
    let unclearTargets = targets.compactMap { unclear($0.value, path + [.key("to")]) }
    let defaults = member("default", of: row.value, isObject: false).compactMap {
      container($0.value, path + [.key("default")])
    }
    return [unclear(row.value, path)].compactMap { $0 } + unclearTargets + defaults
  }

  private func container(_ value: JSONNode, _ path: [EventPath.Step]) -> DocumentDiagnostic? {
    switch value.content {
    case .object, .array:
      finding(
        "a query cannot write a default that is \(value.typeDescription)", value.offset, path,
        note: "the fields of a pair would depend on its values",
        help: "compare with `dualsend parity`, or give a scalar as the default")
    default: nil
    }
  }

  private func unclear(_ value: JSONNode, _ path: [EventPath.Step]) -> DocumentDiagnostic? {
    guard case .string(let text) = value.content else { return nil }
    return unclear(text, value.offset, path)
  }

  private func unclear(_ target: String, _ offset: Int, _ path: [EventPath.Step]) -> DocumentDiagnostic? {
    if knowsNormalForms || NormalForm.isStable(target) { return nil }
    return finding(
      "a query cannot write `\(target)` in this engine", offset, path,
      note:
        "whether a payload already has that key depends on Unicode normalisation, which the engine does not support",
      help: "compare with `dualsend parity`, or in DuckDB")
  }

  private func finding(
    _ message: String, _ offset: Int, _ path: [EventPath.Step], note: String, help: String
  ) -> DocumentDiagnostic {
    DocumentDiagnostic(
      .error, .notInSQL, message, file: document.source.name, position: document.source.position(at: offset),
      path: EventPath(path), notes: [note], help: help)
  }

  /// The members of a nested object; with `isObject` false, the member itself.
  private func member(_ key: String, of node: JSONNode, isObject: Bool = true) -> [JSONNode.Member] {
    guard case .object(let members) = node.content, let found = members.first(where: { $0.key.isExactly(key) }) else {
      return []
    }
    guard isObject else { return [found] }
    if case .object(let inner) = found.value.content { return inner }
    return []
  }
}

extension DocumentDiagnostic.Code {
  /// A part of a table that a query cannot apply exactly.
  package static let notInSQL = DocumentDiagnostic.Code(rawValue: "DS0801")
}
