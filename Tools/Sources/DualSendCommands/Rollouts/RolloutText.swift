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
