/// A trie of paths with values. An insertion fails if a path contains another.
public struct PatternTrie<Value: Sendable>: Sendable {
  /// The reason why a path was not inserted, with the value of the conflicting path.
  public enum Conflict {
    /// The trie has the same path.
    case same(Value)
    /// The trie has a path that contains the new one or is contained in it.
    case nested(Value)
    /// The new path needs an array where another needs an object, or the other way round.
    case contradicts(Value)
  }

  /// A node of the trie.
  public struct Node: Sendable {
    /// The indices of the child nodes, by step.
    public fileprivate(set) var children: [KeyPathPattern.Step: Int] = [:]
    /// The value of the path that ends here.
    public fileprivate(set) var value: Value?
  }

  /// All nodes. The root is the first.
  public private(set) var nodes = [Node()]
  private let refusesContradictions: Bool

  /// - Parameter refusesContradictions: whether a container cannot be both an array and an object: `true` for paths that are
  ///   written, `false` for paths that are only read.
  public init(refusesContradictions: Bool) {
    self.refusesContradictions = refusesContradictions
  }

  /// Inserts a path unless it conflicts with another one.
  ///
  /// - Returns: the conflict; `nil` if the path was inserted.
  public mutating func insert(_ pattern: KeyPathPattern, _ value: Value) -> Conflict? {
    if let conflict = conflict(with: pattern) { return conflict }
    var node = 0
    for step in pattern.steps {
      if let child = nodes[node].children[step] {
        node = child
      } else {
        nodes.append(Node())
        nodes[node].children[step] = nodes.count - 1
        node = nodes.count - 1
      }
    }
    nodes[node].value = value
    return nil
  }

  private func conflict(with pattern: KeyPathPattern) -> Conflict? {
    var node = 0
    for step in pattern.steps {
      if let value = nodes[node].value { return .nested(value) }
      guard let child = nodes[node].children[step] else {
        return contradiction(of: step, at: node).map { .contradicts($0) }
      }
      node = child
    }
    if let value = nodes[node].value { return .same(value) }
    return anyValue(below: node).map { .nested($0) }
  }

  private func contradiction(of step: KeyPathPattern.Step, at node: Int) -> Value? {
    guard refusesContradictions else { return nil }
    var first = Int.max
    for (other, child) in nodes[node].children where (other == .eachElement) != (step == .eachElement) {
      first = min(first, child)
    }
    return first < .max ? anyValue(below: first) : nil
  }

  /// A value at or below a node. Deterministic for the same trie.
  private func anyValue(below node: Int) -> Value? {
    var node = node
    while nodes[node].value == nil, let first = nodes[node].children.values.min() { node = first }
    return nodes[node].value
  }
}
