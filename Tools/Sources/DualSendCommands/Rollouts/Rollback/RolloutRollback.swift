import DualSendCommandLine
package import DualSendCore
package import DualSendRollout
import DualSendRolloutAnalysis

/// An older document's text with the revision after the one in force, so that apps accept it.
package struct RolloutRollback {
  let current: RolloutText
  /// The document to publish.
  package let result: RolloutText

  /// - Parameter name: the result's name in findings.
  /// - Throws: ``CommandError`` if the other document is not older, or no revision can follow; `DocumentError` if the
  ///   result is not a document that apps accept.
  package init(of current: RolloutText, to older: RolloutText, name: String) throws {
    guard older.document.revision < current.document.revision else {
      throw CommandError(
        "\(older.name) has revision \(older.document.revision), which is not older than revision"
          + " \(current.document.revision) of \(current.name)",
        help: "name the document in force first, and the one to go back to with --to")
    }
    let next = current.document.revision.addingReportingOverflow(1)
    guard !next.overflow else {
      throw CommandError("no revision can follow \(current.document.revision), the highest there is")
    }
    self.current = current
    result = try RolloutText(try older.bytes(withRevision: next.partialValue), name: name)
  }

  /// Whether the result has another salt than the document in force, so that every unit would get another bucket.
  var isReshuffle: Bool { !current.document.salt.isExactly(result.document.salt) }
}

// MARK: - Rollout text

/// The text of a rollout document, and the document that it says.
package struct RolloutText {
  package let name: String
  package let bytes: [UInt8]
  package let document: RolloutDocument

  /// - Parameter name: what messages call it.
  /// - Throws: `DocumentError` if apps refuse the text.
  package init(_ bytes: [UInt8], name: String) throws(DocumentError) {
    (self.name, self.bytes) = (name, bytes)
    document = try RolloutDocument(proving: bytes, name: name)
  }

  /// The bytes with another revision. Only the digits of the revision change; the order of keys and the white space stay.
  package func bytes(withRevision revision: Int64) throws -> [UInt8] {
    let root = try JSONReader().document(bytes).root
    guard case .object(let members) = root.content, let node = members.first(where: { $0.key == "revision" })?.value,
      case .number(let number) = node.content
    else { throw CommandError("\(name) has no revision") }
    var text = bytes
    text.replaceSubrange(node.offset..<(node.offset + number.text.utf8.count), with: String(revision).utf8)
    return text
  }
}
