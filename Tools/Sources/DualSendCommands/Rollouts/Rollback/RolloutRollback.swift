import DualSendCommandLine
package import DualSendCore
package import DualSendRollout
import DualSendRolloutAnalysis

/// The way back: an older document's text under the revision that follows the one in force, so that apps take it.
///
/// Nothing but the revision's digits is changed; the order of keys and the white space stay.
package struct RolloutRollback {
  /// A document with what it was read from.
  package struct Source {
    package let name: String
    package let bytes: [UInt8]
    package let document: RolloutDocument

    package init(_ bytes: [UInt8], name: String) throws(DocumentError) {
      (self.name, self.bytes) = (name, bytes)
      document = try RolloutDocument(reading: bytes, name: name)
    }
  }

  let current: Source
  /// What is to be published.
  package let result: Source

  /// - Parameter name: what findings about the result call it.
  /// - Throws: ``CommandError`` if the other document is not older, or no revision can follow; `DocumentError` if the
  ///   result is no document that apps take.
  package init(of current: Source, to older: Source, name: String) throws {
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
    result = try Source(try Self.text(older, withRevision: next.partialValue), name: name)
  }

  /// The result differs from what is in force by its salt, so that every unit would get another bucket.
  var isReshuffle: Bool { !current.document.salt.isExactly(result.document.salt) }

  /// A document's text with nothing changed but the digits of its revision.
  package static func text(_ source: Source, withRevision revision: Int64) throws -> [UInt8] {
    let root = try JSONReader().document(source.bytes).root
    guard case .object(let members) = root.content, let node = members.first(where: { $0.key == "revision" })?.value,
      case .number(let number) = node.content
    else { throw CommandError("\(source.name) has no revision") }
    var text = source.bytes
    text.replaceSubrange(node.offset..<(node.offset + number.text.utf8.count), with: String(revision).utf8)
    return text
  }
}
