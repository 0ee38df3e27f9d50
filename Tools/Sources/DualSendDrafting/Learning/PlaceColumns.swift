import DualSendCore
import DualSendRemapping

/// The payloads of one side by key path: the values of all payloads at each path.
struct PlaceColumns {
  /// A value of a payload with its array indices.
  struct Slot: Hashable {
    let indices: [Int]
    let value: EventValue
  }

  /// The values of a payload at a path: at most one, unless the path is inside arrays.
  typealias Cell = [Slot]

  /// One key path.
  struct Column {
    let path: KeyPathPattern
    let arrayCount: Int
    var cells: [Cell]
    var children: [ExactText] = []

    /// The number of payloads with a value.
    var filled: Int { cells.count { !$0.isEmpty } }

    /// The most frequent cell, which may be empty; with ties, the first in text order.
    var commonest: Cell {
      let counts = cells.reduce(into: [Cell: Int]()) { $0[$1, default: 0] += 1 }
      let most = counts.values.max() ?? 0
      let candidates = counts.filter { $0.value == most }.keys
      return candidates.count == 1
        ? candidates.first ?? []
        : candidates.min { String.byteOrder(Self.text($0), Self.text($1)) } ?? []
    }

    private static func text(_ cell: Cell) -> String {
      cell.map(\.value.canonicalText).joined(separator: ",")
    }
  }

  /// The most elements of an array that are examined.
  private static let maximumElements = 50
  /// The most key paths. Further ones are considered data.
  private static let maximumColumns = 1000

  private(set) var columns: [ExactText: Column] = [:]
  /// The top-level key paths, sorted.
  private(set) var top: [ExactText] = []
  /// Whether there were keys that a row cannot name, or too many keys.
  private(set) var hasMore = false

  init(_ payloads: [[String: EventValue]]) {
    for (row, payload) in payloads.enumerated() {
      for (key, value) in payload.sorted(by: { String.byteOrder($0.key, $1.key) }) {
        add(value, at: KeyPathPattern(key: key).description, in: nil, [], row, of: payloads.count)
      }
    }
    top.sort()
    for place in columns.keys { columns[place]?.children.sort() }
  }

  subscript(_ path: KeyPathPattern) -> Column? { columns[ExactText(path.description)] }

  /// All key paths, sorted.
  var sorted: [Column] { columns.sorted { $0.key < $1.key }.map(\.value) }

  private mutating func add(
    _ value: EventValue, at text: String, in parent: ExactText?, _ indices: [Int], _ row: Int, of count: Int
  ) {
    let place = ExactText(text)
    if columns[place] == nil {
      // The key of a comment cannot have a row.
      guard columns.count < Self.maximumColumns, text != "//", text != "_comment", let path = try? KeyPathPattern(text)
      else {
        hasMore = true
        return
      }
      let arrayCount = path.steps.count { $0 == .eachElement }
      columns[place] = Column(path: path, arrayCount: arrayCount, cells: Array(repeating: [], count: count))
      if let parent { columns[parent]?.children.append(place) } else { top.append(place) }
    }
    columns[place]?.cells[row].append(Slot(indices: indices, value: value))
    switch value {
    case .object(let members):
      for (key, member) in members.sorted(by: { String.byteOrder($0.key, $1.key) }) {
        let text = text + "." + KeyPathPattern(key: key).description
        add(member, at: text, in: place, indices, row, of: count)
      }
    case .array(let elements):
      for (index, element) in elements.prefix(Self.maximumElements).enumerated() {
        add(element, at: text + "[]", in: place, indices + [index], row, of: count)
      }
    default: break
    }
  }
}
