import DualSendCommandLine
import DualSendCore
import DualSendRollout

/// An older document's text with the revision after the one in force, so that apps accept it.
package struct RolloutRollback {
  let current: RolloutText
  /// The document to publish.
  package let result: RolloutText

  /// - Parameters:
  ///   - name: the result's name in findings.
  ///   - revision: the revision of the result; by default the one after the document in force.
  /// - Throws: ``CommandError`` if the other document is not older, or no revision can follow; `DocumentError` if the
  ///   result is not a document that apps accept.
  package init(of current: RolloutText, to older: RolloutText, name: String, revision: Int64? = nil) throws {
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
    result = try RolloutText(try older.bytes(withRevision: revision ?? next.partialValue), name: name)
  }

  /// Whether the result has another salt than the document in force, so that every unit would get another bucket.
  var isReshuffle: Bool { !current.document.salt.isExactly(result.document.salt) }
}
