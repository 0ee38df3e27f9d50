import DualSend
import DualSendCore
import DualSendRemapping

/// Counts the rows of one event that payloads use, and the places without a row.
///
/// Walks a payload as remapping does, but without a new payload or a trace. A key without a row counts as a whole,
/// whatever it holds.
struct RowUsage {
  typealias Step = KeyPathPattern.Step

  /// A place without a row.
  struct OpenPlace {
    /// Its steps, with `[]` for every array position.
    let steps: [Step]
    /// The path of its first occurrence.
    let example: EventPath
    /// The line of its first occurrence.
    let line: Int
    fileprivate(set) var count = 0
  }

  private enum Place {
    case node(Int)
    case open(Int)
  }

  private struct Node {
    let steps: [Step]
    var row: Int?
    var places: [ExactText: Place] = [:]
    var elements: Int?
    /// The place itself, if a payload has another type there than the rows expect.
    var open: Int?
    /// The keys that lead to a row with a default.
    var defaults: [String] = []
  }

  let rows: [RemappingRow]
  /// The number of values that each row took, and of defaults that it wrote.
  private(set) var counts: [Int]
  private(set) var openPlaces: [OpenPlace] = []
  /// How many payloads there were.
  private(set) var payloads = 0
  private var nodes = [Node(steps: [])]

  init(_ rows: [RemappingRow]) {
    self.rows = rows
    counts = Array(repeating: 0, count: rows.count)
    for (index, row) in rows.enumerated() { insert(row.source.steps, index) }
    // A child's index is above its parent's, so going backwards every child is known before its parent.
    for index in nodes.indices.reversed() {
      for case (let key, .node(let child)) in nodes[index].places where hasDefault(child) {
        nodes[index].defaults.append(key.text)
      }
      nodes[index].defaults.sort(by: String.byteOrder)
    }
  }

  private mutating func insert(_ steps: [Step], _ row: Int) {
    var node = 0
    for (position, step) in steps.enumerated() {
      switch (step, nodes[node]) {
      case (.key(let key), let known):
        if case .node(let child)? = known.places[ExactText(key)] {
          node = child
          continue
        }
        nodes[node].places[ExactText(key)] = .node(nodes.count)
      case (.eachElement, let known):
        if let child = known.elements {
          node = child
          continue
        }
        nodes[node].elements = nodes.count
      }
      node = nodes.count
      nodes.append(Node(steps: Array(steps[...position])))
    }
    nodes[node].row = row
  }

  private func hasDefault(_ node: Int) -> Bool {
    !nodes[node].defaults.isEmpty || nodes[node].row.map { rows[$0].fallback != nil } ?? false
  }

  /// Counts one payload, or several of one shape.
  ///
  /// - Parameter line: the payload's line, for places found for the first time.
  /// - Returns: rows without a value, which may have written their default or yielded to another value.
  mutating func add(_ payload: [String: EventValue], times: Int, line: Int) -> [Int] {
    payloads += times
    var walk = Walk(times: times, line: line)
    object(payload, at: 0, &walk)
    return walk.absent
  }

  /// Counts a row whose default was written.
  mutating func wroteDefault(_ row: Int) {
    counts[row] += 1
  }

  private struct Walk {
    let times: Int
    let line: Int
    /// The position in each array on the way, outermost first.
    var indices: [Int] = []
    var absent: [Int] = []
  }

  private mutating func object(_ members: [String: EventValue], at node: Int, _ walk: inout Walk) {
    for (key, member) in members {
      switch nodes[node].places[ExactText(key)] {
      case .node(let child): value(member, at: child, &walk)
      case .open(let place): openPlaces[place].count += walk.times
      case nil:
        nodes[node].places[ExactText(key)] = .open(found(nodes[node].steps + [.key(key)], walk))
      }
    }
    for key in nodes[node].defaults where members.index(exactly: key) == nil { absent(key, at: node, &walk) }
  }

  private mutating func value(_ value: EventValue, at node: Int, _ walk: inout Walk) {
    if let row = nodes[node].row {
      counts[row] += walk.times
      return
    }
    switch value {
    case .object(let members): return object(members, at: node, &walk)
    case .array(let elements):
      if let child = nodes[node].elements {
        for (index, element) in elements.enumerated() {
          walk.indices.append(index)
          self.value(element, at: child, &walk)
          walk.indices.removeLast()
        }
      } else if !elements.isEmpty {
        countItself(node, walk)
      }
    default: countItself(node, walk)
    }
    for key in nodes[node].defaults { absent(key, at: node, &walk) }
  }

  private mutating func countItself(_ node: Int, _ walk: Walk) {
    if let place = nodes[node].open {
      openPlaces[place].count += walk.times
    } else {
      nodes[node].open = found(nodes[node].steps, walk)
    }
  }

  private mutating func found(_ steps: [Step], _ walk: Walk) -> Int {
    var indices = walk.indices[...]
    let path = steps.map { step -> EventPath.Step in
      switch step {
      case .key(let key): .key(key)
      case .eachElement: .index(indices.popFirst() ?? 0)
      }
    }
    openPlaces.append(OpenPlace(steps: steps, example: EventPath(path), line: walk.line, count: walk.times))
    return openPlaces.count - 1
  }

  private mutating func absent(_ key: String, at node: Int, _ walk: inout Walk) {
    guard case .node(let child)? = nodes[node].places[ExactText(key)] else { return }
    if let row = nodes[child].row { walk.absent.append(row) }
    for key in nodes[child].defaults { absent(key, at: child, &walk) }
  }
}

extension RemappingRow {
  /// The row's default; `nil` if it has none.
  fileprivate var fallback: EventValue? {
    if case .move(_, let rule) = action { rule?.fallback } else { nil }
  }

  /// Whether the payload has nothing at the row's target or on the path to it.
  func writesToFreePlace(of payload: [String: EventValue]) -> Bool {
    guard case .move(let target, _) = action, case .key(let first)? = target.steps.first else { return false }
    return payload.index(exactly: first) == nil
  }
}
