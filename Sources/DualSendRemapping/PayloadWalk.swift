package import DualSendCore

/// Removes the values that rows name from a payload, in one pass over the paths that they share.
package struct PayloadWalk: Sendable {
  /// A value that a row moves.
  package struct Moved {
    /// The row's position in the rule.
    package let row: Int
    /// The old value; `null` if it is absent.
    let value: EventValue
    /// The position in each array on the way, outermost first.
    let indices: [Int]
  }

  /// A payload, divided by the rows.
  package struct Taken {
    package var moved: [Moved] = []
    /// The missing values of rows with a default.
    package var absent: [Moved] = []
    /// The values that no row names. Containers that rows emptied are removed, except array elements, which keep positions.
    package var rest: [String: EventValue] = [:]
    /// The paths that rows drop, if paths are recorded.
    var dropped: [EventPath] = []
    /// The paths that no row names, if paths are recorded.
    var unmapped: [EventPath] = []
  }

  private let trie: PatternTrie<Int>
  private let rows: [RemappingRow]
  /// For each node, the keys that lead to rows with a default.
  private let defaults: [[String]]

  package init(rows: [RemappingRow]) {
    var trie = PatternTrie<Int>(refusesContradictions: false)
    for (index, row) in rows.enumerated() {
      _ = trie.insert(row.source, index)
    }
    self.trie = trie
    self.rows = rows
    defaults = Self.defaults(in: trie, of: rows)
  }

  package func take(from payload: [String: EventValue], recordingPaths: Bool) -> Taken {
    var taker = Taker(walk: self, recordsPaths: recordingPaths)
    taker.taken.rest = taker.object(payload, at: 0) ?? [:]
    return taker.taken
  }

  private static func defaults(in trie: PatternTrie<Int>, of rows: [RemappingRow]) -> [[String]] {
    var keys = [[String]](repeating: [], count: trie.nodes.count)
    // A child's index is higher than its parent's, so backwards, each child comes before its parent.
    for (index, node) in trie.nodes.enumerated().reversed() {
      for case (.key(let key), let child) in node.children {
        let hasOwn = trie.nodes[child].value.map { rows[$0].fallback != nil } ?? false
        if hasOwn || !keys[child].isEmpty { keys[index].append(key) }
      }
    }
    return keys
  }

  /// The state of one walk.
  private struct Taker {
    let walk: PayloadWalk
    let recordsPaths: Bool
    var taken = Taken()
    private var indices: [Int] = []
    private var path: [EventPath.Step] = []

    init(walk: PayloadWalk, recordsPaths: Bool) {
      self.walk = walk
      self.recordsPaths = recordsPaths
    }

    /// The rest of an object; `nil` if rows took all of its values.
    mutating func object(_ members: [String: EventValue], at node: Int) -> [String: EventValue]? {
      var rest = members
      for (key, member) in members {
        path.append(.key(key))
        if let child = walk.trie.nodes[node].children[.key(key)] {
          rest[key] = value(member, at: child)
        } else {
          leave()
        }
        path.removeLast()
      }
      if members.isEmpty, node != 0 { leave() }
      for key in walk.defaults[node] where members.index(exactly: key) == nil { absent(.key(key), of: node) }
      return rest.isEmpty && !members.isEmpty ? nil : rest
    }

    private mutating func value(_ value: EventValue, at node: Int) -> EventValue? {
      if let row = walk.trie.nodes[node].value {
        take(value, row: row)
        return nil
      }
      if case .object(let members) = value { return object(members, at: node).map { .object($0) } }
      for key in walk.defaults[node] { absent(.key(key), of: node) }
      if case .array(let elements) = value, !elements.isEmpty,
        let child = walk.trie.nodes[node].children[.eachElement]
      {
        return array(elements, at: child)
      }
      leave()
      return value
    }

    private mutating func array(_ elements: [EventValue], at node: Int) -> EventValue? {
      var rest: [EventValue] = []
      var isTaken = true
      for (index, element) in elements.enumerated() {
        indices.append(index)
        path.append(.index(index))
        let left = value(element, at: node)
        isTaken = isTaken && left == nil
        rest.append(left ?? element.emptied)
        path.removeLast()
        indices.removeLast()
      }
      return isTaken ? nil : .array(rest)
    }

    private mutating func take(_ value: EventValue, row: Int) {
      if case .drop = walk.rows[row].action {
        if recordsPaths { taken.dropped.append(EventPath(path)) }
      } else {
        taken.moved.append(Moved(row: row, value: value, indices: indices))
      }
    }

    private mutating func absent(_ step: KeyPathPattern.Step, of node: Int) {
      guard let child = walk.trie.nodes[node].children[step] else { return }
      if let row = walk.trie.nodes[child].value {
        taken.absent.append(Moved(row: row, value: .null, indices: indices))
      }
      for key in walk.defaults[child] { absent(.key(key), of: child) }
    }

    private mutating func leave() {
      if recordsPaths { taken.unmapped.append(EventPath(path)) }
    }
  }
}

extension RemappingRow {
  /// The row's default.
  var fallback: EventValue? {
    if case .move(_, let rule) = action { return rule?.fallback }
    return nil
  }
}

extension EventValue {
  /// The placeholder for an array element that a row took.
  fileprivate var emptied: EventValue {
    switch self {
    case .object: .object([:])
    case .array: .array([])
    default: .null
    }
  }
}
