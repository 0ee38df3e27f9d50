import DualSendCore
import DualSendRemapping
import DualSendSource

/// A payload that is being written: keys in the order in which they came, dictionaries inside.
struct PayloadTree {
  private enum Node {
    case leaf(RewrittenValue)
    case tree(PayloadTree)
  }

  private var members: [(key: String, node: Node)] = []

  /// Puts an expression at a place.
  ///
  /// - Throws: if something stands there, or in the way.
  mutating func insert(_ value: RewrittenValue, at path: KeyPathPattern) throws(NotRewritten) {
    try insert(value, path.steps[...])
  }

  private mutating func insert(
    _ value: RewrittenValue, _ steps: ArraySlice<KeyPathPattern.Step>
  ) throws(NotRewritten) {
    guard case .key(let key)? = steps.first else { throw NotRewritten("a row writes into an array") }
    let rest = steps.dropFirst()
    let place = members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
    if rest.isEmpty {
      guard place == nil else { throw NotRewritten("two values want the place `\(key)`") }
      members.append((key, .leaf(value)))
      return
    }
    var inner = PayloadTree()
    if let place {
      guard case .tree(let tree) = members[place].node else { throw NotRewritten("two values want the place `\(key)`") }
      inner = tree
    }
    try inner.insert(value, rest)
    if let place { members[place].node = .tree(inner) } else { members.append((key, .tree(inner))) }
  }

  var isEmpty: Bool { members.isEmpty }

  /// What stands behind a key, on one line.
  func text(at key: String) -> String {
    members.first { $0.key == key }.map { text(of: $0.node) } ?? ""
  }

  /// The keys of its own.
  var keys: [String] { members.map(\.key) }

  /// What it evaluates, in order.
  var uses: [WrittenExpression.Use] {
    members.flatMap { member in
      switch member.node {
      case .leaf(let value): value.uses
      case .tree(let tree): tree.uses
      }
    }
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
    SwiftText.literal(.string(member.key)) + ": " + text(of: member.node)
  }

  private func text(of node: Node) -> String {
    switch node {
    case .leaf(let value): value.text
    // Inside, the compiler does not look for a type of its own accord.
    case .tree(let tree): "\(tree.line) as [String: any Sendable]"
    }
  }
}
