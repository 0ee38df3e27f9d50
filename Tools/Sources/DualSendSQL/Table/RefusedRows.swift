@_spi(Tools) package import DualSendCore
@_spi(Tools) import DualSendRemapping

/// The rows of a table that a query cannot apply exactly, each with its place.
package struct RefusedRows {
  private let document: JSONDocument

  /// - Parameter bytes: the text of a table that was accepted.
  package init(_ bytes: [UInt8], name: String) throws {
    document = try JSONReader().document(bytes, name: name)
  }

  /// One error for each row.
  package var findings: [DocumentDiagnostic] {
    member("events", of: document.root).flatMap { entry in
      member("parameters", of: entry.value).flatMap { row in
        member("default", of: row.value, isObject: false).compactMap { value in
          finding(
            value, EventPath([.key("events"), .key(entry.key), .key("parameters"), .key(row.key), .key("default")]))
        }
      }
    }
  }

  private func finding(_ member: JSONNode.Member, _ path: EventPath) -> DocumentDiagnostic? {
    switch member.value.content {
    case .object, .array:
      DocumentDiagnostic(
        .error, .notInSQL, "a query cannot write a default that is \(member.value.typeDescription)",
        file: document.source.name, position: document.source.position(at: member.value.offset), path: path,
        notes: ["whether it is written depends on each value, and the fields of a pair must not"],
        help: "compare with `dualsend parity`, or give a scalar as the default")
    default: nil
    }
  }

  /// The members of an object that is a member of another; with `isObject` false, the member itself.
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
  /// Something that a query cannot do exactly as `dualsend parity` does it.
  package static let notInSQL = DocumentDiagnostic.Code(rawValue: "DS0801")
}
