@_spi(Tools) import DualSendCore
@_spi(Tools) import DualSendRemapping

/// A payload that is being written: keys in the order in which they came, dictionaries inside.
struct PayloadTree {
  private enum Node {
    case leaf(String)
    case tree(PayloadTree)
  }

  private var members: [(key: String, node: Node)] = []

  /// Puts an expression at a place.
  ///
  /// - Throws: if something stands there, or in the way.
  mutating func insert(_ text: String, at path: KeyPathPattern) throws(NotRewritten) {
    try insert(text, path.steps[...])
  }

  private mutating func insert(_ text: String, _ steps: ArraySlice<KeyPathPattern.Step>) throws(NotRewritten) {
    guard case .key(let key)? = steps.first else { throw NotRewritten("a row writes into an array") }
    let rest = steps.dropFirst()
    let place = members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
    if rest.isEmpty {
      guard place == nil else { throw NotRewritten("two values want the place `\(key)`") }
      members.append((key, .leaf(text)))
      return
    }
    var inner = PayloadTree()
    if let place {
      guard case .tree(let tree) = members[place].node else { throw NotRewritten("two values want the place `\(key)`") }
      inner = tree
    }
    try inner.insert(text, rest)
    if let place { members[place].node = .tree(inner) } else { members.append((key, .tree(inner))) }
  }

  /// On one line.
  var line: String {
    members.isEmpty ? "[:]" : "[" + members.map { entry($0) }.joined(separator: ", ") + "]"
  }

  /// One line a member.
  func lines(_ indentation: String) -> String {
    guard !members.isEmpty else { return "[:]" }
    return "[\n" + members.map { indentation + "  " + entry($0) + ",\n" }.joined() + indentation + "]"
  }

  private func entry(_ member: (key: String, node: Node)) -> String {
    let key = SwiftText.literal(.string(member.key))
    switch member.node {
    case .leaf(let text): return "\(key): \(text)"
    // Inside, the compiler does not look for a type of its own accord.
    case .tree(let tree): return "\(key): \(tree.line) as [String: any Sendable]"
    }
  }
}
