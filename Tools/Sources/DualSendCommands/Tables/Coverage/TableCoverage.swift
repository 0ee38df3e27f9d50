import DualSend
package import DualSendCore
package import DualSendRemapping

/// Which parts of a remapping table real events use, and which parts of the events no row is about. Keeps no values.
package struct TableCoverage: Sendable {
  /// One row of the table, as it is written.
  package struct Row: Hashable, Sendable {
    /// The event whose entry has the row; `*` for rows that hold for every event.
    package let event: ExactText
    package let source: KeyPathPattern

    package init(event: ExactText, source: KeyPathPattern) {
      (self.event, self.source) = (event, source)
    }
  }

  /// A key that no row is about: its place with `[]` for every array position.
  package struct OpenKey: Hashable, Sendable {
    package let event: ExactText
    let steps: [KeyPathPattern.Step]
  }

  /// How often a key was found, and where first.
  package struct Finding: Sendable {
    package let count: Int
    let example: EventPath
    let line: Int

    /// Both together, with the example that comes first.
    fileprivate func merged(with other: Finding) -> Finding {
      let first = line <= other.line ? self : other
      return Finding(count: count + other.count, example: first.example, line: first.line)
    }
  }

  package static let wildcard = ExactText("*")

  /// Where its rows stand.
  package let places: TablePlaces
  /// How often each row took a value or wrote its default.
  package let rows: [Row: Int]
  /// How often each event of the table was seen.
  package let events: [ExactText: Int]
  package let eventsWithoutEntry: [ExactText: Int]
  package let keysWithoutRow: [OpenKey: Finding]

  /// What two parts of one stream use together.
  func merged(with other: TableCoverage) -> TableCoverage {
    TableCoverage(
      places: places, rows: rows.merging(other.rows, uniquingKeysWith: +),
      events: events.merging(other.events, uniquingKeysWith: +),
      eventsWithoutEntry: eventsWithoutEntry.merging(other.eventsWithoutEntry, uniquingKeysWith: +),
      keysWithoutRow: keysWithoutRow.merging(other.keysWithoutRow) { $0.merged(with: $1) })
  }

  /// The table's events that no line was about, sorted.
  package var unseenEvents: [ExactText] {
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

extension TableCoverage.OpenKey {
  /// The key with dots between its steps and `[]` for every array position.
  package var text: String {
    steps.reduce(into: "") { text, step in
      switch step {
      case .eachElement: text += "[]"
      case .key(let key): text += (text.isEmpty ? "" : ".") + EventPath([.key(key)]).description
      }
    }
  }
}
