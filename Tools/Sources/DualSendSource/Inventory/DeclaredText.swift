/// A constant or a case whose text is a name or a key.
package struct DeclaredText: Sendable {
  /// The name with its type: `Key.id`.
  package let name: String
  /// The last name of its enum; `nil` for a constant.
  package let owner: String?
}
