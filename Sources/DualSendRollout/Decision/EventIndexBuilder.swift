/// The parts of a rule that an event index depends on.
struct IndexedRule {
  /// The names that the rule matches; `nil` for all.
  let events: [EventPattern]?
  /// The flags it sets.
  let flags: FlagSet
  /// Whether the rule has no conditions besides the name.
  let isUnconditional: Bool
}

/// Builds an ``EventIndex`` level by level from the sorted patterns.
struct EventIndexBuilder {
  private struct Key {
    let bytes: [UInt8]
    var exact: [Int] = []
    var prefix: [Int] = []
  }

  /// A node to fill, and the keys below it, which share their first `depth` bytes.
  private struct Task {
    let keys: Range<Int>
    let depth: Int
    let node: Int
    /// The rules of the prefixes above this node.
    let inherited: [Int]
    let inheritedList: Int
  }

  private let rules: [IndexedRule]
  private let allFlags: FlagSet
  private var keys: [Key] = []
  private var everywhere: [Int] = []
  private var nodes: [EventIndex.Node] = []
  private var labels: [UInt8] = []
  private var lists: [[Int]] = []
  private var listIndices: [[Int]: Int] = [:]
  private var unsortedAtoms: [EventIndex.Atom] = []

  init(_ rules: [IndexedRule]) {
    self.rules = rules
    allFlags = rules.reduce(into: []) { $0.formUnion($1.flags) }
    collectKeys()
  }

  mutating func index() -> EventIndex {
    let root = list(everywhere)
    nodes = [EventIndex.Node(labelStart: 0, labelCount: 0, whole: Int32(root), below: Int32(root))]
    unsortedAtoms = [EventIndex.Atom(pattern: .prefix(""), list: root)]
    var pending = [Task(keys: keys.indices, depth: 0, node: 0, inherited: everywhere, inheritedList: root)]
    var next = 0
    while next < pending.count {
      pending += grow(pending[next])
      next += 1
    }
    var starts: [Int32] = [0]
    for list in lists { starts.append(Int32(Int(starts[starts.count - 1]) + list.count)) }
    return EventIndex(
      nodes: nodes, labels: labels, candidates: lists.joined().map { Int32($0) }, listStarts: starts)
  }

  /// Every set of names that the patterns distinguish, sorted by the bytes of the pattern. Only proofs need them, so the
  /// index does not store them.
  var atoms: [EventIndex.Atom] {
    unsortedAtoms.sorted { $0.pattern.stem.utf8.lexicographicallyPrecedes($1.pattern.stem.utf8) }
  }

  private mutating func collectKeys() {
    var positions: [[UInt8]: Int] = [:]
    for (index, rule) in rules.enumerated() {
      guard let patterns = rule.events else {
        everywhere.append(index)
        continue
      }
      for pattern in patterns {
        let bytes = Array(pattern.stem.utf8)
        let position = positions[bytes] ?? keys.count
        if position == keys.count {
          keys.append(Key(bytes: bytes))
          positions[bytes] = position
        }
        switch pattern {
        case .exact: keys[position].exact.append(index)
        case .prefix: keys[position].prefix.append(index)
        }
      }
    }
    keys.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  /// Fills a node, appends its children and returns their tasks.
  private mutating func grow(_ task: Task) -> [Task] {
    var rest = task.keys
    var inherited = task.inherited
    var below = task.inheritedList
    var whole = below
    if let key = rest.first.map({ keys[$0] }), key.bytes.count == task.depth {
      rest = rest.dropFirst()
      let text = String(decoding: key.bytes, as: UTF8.self)
      if !key.prefix.isEmpty {
        inherited = merged(inherited, key.prefix)
        below = list(inherited)
        if task.depth == 0 { unsortedAtoms = [] }
        unsortedAtoms.append(EventIndex.Atom(pattern: .prefix(text), list: below))
      }
      whole = list(merged(inherited, key.exact))
      if !key.exact.isEmpty { unsortedAtoms.append(EventIndex.Atom(pattern: .exact(text), list: whole)) }
    }
    nodes[task.node].whole = Int32(whole)
    nodes[task.node].below = Int32(below)

    let firstChild = nodes.count
    var children: [Task] = []
    while let first = rest.first {
      let byte = keys[first].bytes[task.depth]
      let end = rest.firstIndex { keys[$0].bytes[task.depth] != byte } ?? rest.upperBound
      let depth = commonPrefix(keys[first].bytes, keys[end - 1].bytes)
      let start = labels.count
      labels += keys[first].bytes[task.depth..<depth]
      nodes.append(
        EventIndex.Node(
          labelStart: Int32(start), labelCount: Int32(labels.count - start), whole: Int32(below), below: Int32(below)))
      children.append(
        Task(keys: first..<end, depth: depth, node: nodes.count - 1, inherited: inherited, inheritedList: below))
      rest = end..<rest.upperBound
    }
    nodes[task.node].firstChild = Int32(firstChild)
    nodes[task.node].childCount = Int32(nodes.count - firstChild)
    return children
  }

  /// The index of the list of these rules, without those that unconditional rules make unreachable.
  private mutating func list(_ rules: [Int]) -> Int {
    var open = allFlags
    var list: [Int] = []
    for index in rules {
      let rule = self.rules[index]
      if rule.flags.isDisjoint(with: open) { continue }
      list.append(index)
      if rule.isUnconditional { open.subtract(rule.flags) }
      if open.isEmpty { break }
    }
    if let known = listIndices[list] { return known }
    lists.append(list)
    listIndices[list] = lists.count - 1
    return lists.count - 1
  }

  private func merged(_ left: [Int], _ right: [Int]) -> [Int] {
    right.isEmpty ? left : Set(left).union(right).sorted()
  }

  private func commonPrefix(_ left: [UInt8], _ right: [UInt8]) -> Int {
    zip(left, right).prefix { $0 == $1 }.count
  }
}

extension EventPattern {
  /// The pattern's text without its `*`.
  var stem: String {
    switch self {
    case .exact(let text), .prefix(let text): text
    }
  }
}
