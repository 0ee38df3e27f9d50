/// Paths by their steps, each with a value: finds out at insertion which paths contain one another.
public struct PatternTrie<Value: Sendable>: Sendable {
  /// Why a path was not inserted; carries the value that stands in the way.
  public enum Conflict {
    /// The same path is there.
    case same(Value)
    /// A path that contains the new one, or is contained by it, is there.
    case nested(Value)
    /// The new path needs an array where another needs an object, or the other way round.
    case contradicts(Value)
  }

  /// A place that paths share; the root is the first.
  public struct Node: Sendable {
    /// The next places by the step that leads there.
    public fileprivate(set) var children: [KeyPathPattern.Step: Int] = [:]
    /// The value of the path that ends here.
    public fileprivate(set) var value: Value?
  }

  /// Every place.
  public private(set) var nodes = [Node()]
  private let refusesContradictions: Bool

  /// - Parameter refusesContradictions: whether one container may not be walked both as an array and as an object:
  ///   true for paths that are written, false for paths that are only looked for.
  public init(refusesContradictions: Bool) {
    self.refusesContradictions = refusesContradictions
  }

  /// Inserts a path, or leaves everything as it was and says what stands in the way.
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
    let others = nodes[node].children.filter { ($0.key == .eachElement) != (step == .eachElement) }
    return others.values.min().flatMap { anyValue(below: $0) }
  }

  /// Some value at or below a node, always the same one for the same trie.
  private func anyValue(below node: Int) -> Value? {
    var node = node
    while nodes[node].value == nil, let first = nodes[node].children.values.min() { node = first }
    return nodes[node].value
  }
}
