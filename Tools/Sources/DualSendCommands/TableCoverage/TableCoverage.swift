import DualSend
@_spi(Tools) import DualSendCore
@_spi(Tools) import DualSendRemapping

/// Which parts of a remapping table real events use, and which parts of the events no row is about. Keeps no values.
struct TableCoverage {
  /// One row of the table, as it is written.
  struct Row: Hashable {
    /// The event whose entry has the row; `*` for rows that hold for every event.
    let event: ExactText
    let source: KeyPathPattern
  }

  /// A key that no row is about: its place with `[]` for every array position.
  struct OpenKey: Hashable {
    let event: ExactText
    let steps: [KeyPathPattern.Step]
  }

  /// How often a key was found, and where first.
  struct Finding {
    var count = 0
    let example: EventPath
  }

  static let wildcard = ExactText("*")

  private let table: RemappingTable
  /// Where its rows stand.
  let places: TablePlaces
  /// The sources of each event's rows by their steps, made when the event is first seen.
  private var sources: [ExactText: [[KeyPathPattern.Step]: KeyPathPattern]] = [:]
  /// How often each row took a value or wrote its default.
  private(set) var rows: [Row: Int]
  /// How often each event of the table was seen.
  private(set) var events: [ExactText: Int]
  private(set) var eventsWithoutEntry: [ExactText: Int] = [:]
  private(set) var keysWithoutRow: [OpenKey: Finding] = [:]

  init(of table: RemappingTable, places: TablePlaces) {
    self.table = table
    self.places = places
    let shared = Set(table.ruleForOthers.rows)
    var rows = table.ruleForOthers.rows.map { Row(event: Self.wildcard, source: $0.source) }
    for (event, rule) in table.rules {
      rows += rule.rows.filter { !shared.contains($0) }.map { Row(event: ExactText(event), source: $0.source) }
    }
    self.rows = Dictionary(rows.map { ($0, 0) }, uniquingKeysWith: { first, _ in first })
    events = Dictionary(uniqueKeysWithValues: table.rules.keys.map { (ExactText($0), 0) })
  }

  /// Takes one event into account.
  mutating func add(_ name: String, payload: [String: EventValue]) {
    let event = ExactText(name)
    if table.hasEntry(for: name) {
      events[event, default: 0] += 1
    } else {
      eventsWithoutEntry[event, default: 0] += 1
    }
    let sources = sources(of: event)
    let trace = table.trace(name, payload: payload).trace
    for input in trace.inputs {
      let steps = input.path.patternSteps
      if let source = sources[steps] {
        fire(source, of: event)
      } else if !isEmptyContainer(input.path, in: payload) || !sources.keys.contains(where: { $0.starts(with: steps) })
      {
        let key = OpenKey(event: event, steps: steps)
        keysWithoutRow[key, default: Finding(example: input.path)].count += 1
      }
    }
    for case .defaultValue(let source) in trace.outputs.map(\.origin) { fire(source, of: event) }
  }

  /// Rows that walk into a container find nothing in an empty one; that does not leave it without a row.
  private func isEmptyContainer(_ path: EventPath, in payload: [String: EventValue]) -> Bool {
    let value = EventValue.object(payload).value(at: path)
    return value == .array([]) || value == .object([:])
  }

  private mutating func sources(of name: ExactText) -> [[KeyPathPattern.Step]: KeyPathPattern] {
    if let known = sources[name] { return known }
    let found = Dictionary(
      table.rule(for: name.text).rows.map { ($0.source.steps, $0.source) }, uniquingKeysWith: { first, _ in first })
    sources[name] = found
    return found
  }

  private mutating func fire(_ source: KeyPathPattern, of name: ExactText) {
    let own = Row(event: name, source: source)
    rows[rows[own] == nil ? Row(event: Self.wildcard, source: source) : own, default: 0] += 1
  }

  /// The table's events that no line was about, sorted.
  var unseenEvents: [ExactText] {
    events.filter { $0.value == 0 }.keys.sorted()
  }

  /// Rows that never did anything although their event was seen, sorted.
  var idleRows: [Row] {
    let idle = rows.filter { $0.value == 0 && events[$0.key.event] != 0 }.keys
    return idle.sorted { ($0.event, $0.source) < ($1.event, $1.source) }
  }

  /// The key without a row that a row with this source most likely means; `nil` if none is near.
  func likelyMeaning(of row: Row) -> String? {
    let open = keysWithoutRow.keys.filter { row.event == Self.wildcard || $0.event == row.event }
    return nearestWord(to: row.source.description, among: Set(open.map { ExactText($0.text) }).sorted().map(\.text))
  }

  /// The event without an entry that an event of the table most likely means; `nil` if none is near.
  func likelyMeaning(ofEvent event: ExactText) -> String? {
    nearestWord(to: event.text, among: eventsWithoutEntry.keys.sorted().map(\.text))
  }
}

extension EventPath {
  /// The steps with every array position made general.
  fileprivate var patternSteps: [KeyPathPattern.Step] {
    steps.map { step in
      switch step {
      case .key(let key): .key(key)
      case .index: .eachElement
      }
    }
  }
}

extension TableCoverage.OpenKey {
  /// The key with dots between its steps and `[]` for every array position.
  var text: String {
    steps.reduce(into: "") { text, step in
      switch step {
      case .eachElement: text += "[]"
      case .key(let key): text += (text.isEmpty ? "" : ".") + EventPath([.key(key)]).description
      }
    }
  }
}
