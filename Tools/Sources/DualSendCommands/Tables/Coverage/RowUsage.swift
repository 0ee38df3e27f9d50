import DualSend
import DualSendCore
import DualSendRemapping

/// The rows of one event as a tree that payloads are held against: counts what takes a value, and what no row is about.
///
/// It goes the way that remapping goes, without making a new payload or a trace: a key that no row is about is counted as
/// a whole, whatever it holds.
struct RowUsage {
  typealias Step = KeyPathPattern.Step

  /// A place that no row is about.
  struct OpenPlace {
    /// Its steps, every array position made general.
    let steps: [Step]
    /// Where it was found first.
    let example: EventPath
    /// The line in which that was.
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
    /// The place itself, where a payload has something else there than rows walk into.
    var open: Int?
    /// The keys below which a row with a default stands.
    var defaults: [String] = []
  }

  let rows: [RemappingRow]
  /// How often each row took a value or wrote its default.
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

  /// Counts one payload, or as many of one shape.
  ///
  /// - Parameter line: the line that it is in, for places that are found first.
  /// - Returns: rows that found no value and may have written their default, or may have yielded to another value.
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
        if !elements.isEmpty { return }
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
  /// What the row writes where the payload has no value; `nil` if it writes nothing.
  fileprivate var fallback: EventValue? {
    if case .move(_, let rule) = action { rule?.fallback } else { nil }
  }

  /// Whether a payload has nothing at or on the way to the place that the row writes to.
  func writesToFreePlace(of payload: [String: EventValue]) -> Bool {
    guard case .move(let target, _) = action, case .key(let first)? = target.steps.first else { return false }
    return payload.index(exactly: first) == nil
  }
}
