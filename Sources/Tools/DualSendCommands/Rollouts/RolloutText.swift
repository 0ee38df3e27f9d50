import DualSendCommandLine
package import DualSendCore
package import DualSendRollout
import DualSendRolloutAnalysis

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

  /// A text that is live, whatever the proof says of it: apps take a document that leaves units without a sink.
  ///
  /// - Throws: `DocumentError` if it is no document.
  package init(live bytes: [UInt8], name: String) throws(DocumentError) {
    (self.name, self.bytes) = (name, bytes)
    document = try RolloutDocument(reading: bytes, name: name)
  }

  /// The bytes with another revision. Only the digits of the revision change; the order of keys and the white space stay.
  package func bytes(withRevision revision: Int64) throws -> [UInt8] {
    guard let node = try JSONReader().document(bytes).root.value(of: "revision") else {
      throw CommandError("\(name) has no revision")
    }
    return TextEdit.apply([TextEdit(node.range(in: bytes), String(revision))], to: bytes)
  }
}
