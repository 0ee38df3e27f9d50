import DualSendCore
import DualSendRemapping

/// The payloads of one side, place by place: what each payload has there.
struct PlaceColumns {
  /// One value of a payload at a place, and its position in each array on the way.
  struct Slot: Hashable {
    let indices: [Int]
    let value: EventValue
  }

  /// What a payload has at a place: one value at most, unless the place is inside of arrays.
  typealias Cell = [Slot]

  /// One place, as a row would name it.
  struct Column {
    let path: KeyPathPattern
    let arrayCount: Int
    var cells: [Cell]
    var children: [ExactText] = []

    /// In how many payloads there is something.
    var filled: Int { cells.count { !$0.isEmpty } }

    /// What most payloads have there, nothing included; of equally many, what is written first.
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

  /// Elements of an array beyond that are not looked at, on either side.
  private static let maximumElements = 50
  /// Places beyond that are taken for data.
  private static let maximumColumns = 1000

  private(set) var columns: [ExactText: Column] = [:]
  /// The places at the top of the payloads, sorted.
  private(set) var top: [ExactText] = []
  /// Whether there were places that no row can name, or too many of them.
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

  /// Every place, sorted.
  var sorted: [Column] { columns.sorted { $0.key < $1.key }.map(\.value) }

  private mutating func add(
    _ value: EventValue, at text: String, in parent: ExactText?, _ indices: [Int], _ row: Int, of count: Int
  ) {
    let place = ExactText(text)
    if columns[place] == nil {
      // A comment's key can have no row.
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
