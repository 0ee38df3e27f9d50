import DualSend
package import DualSendCore
package import DualSendRemapping

/// The parts of a remapping table that events use, and the parts of the events without a row. Keeps no values.
package struct TableCoverage: Sendable {
  /// A row of the table as written.
  package struct Row: Hashable, Sendable {
    /// The event whose entry has the row; `*` for rows of every event.
    package let event: ExactText
    package let source: KeyPathPattern

    package init(event: ExactText, source: KeyPathPattern) {
      (self.event, self.source) = (event, source)
    }
  }

  /// A key without a row: its path with `[]` for every array position.
  package struct OpenKey: Hashable, Sendable {
    package let event: ExactText
    let steps: [KeyPathPattern.Step]
  }

  /// The count of a key, and its first occurrence.
  package struct Finding: Sendable {
    package let count: Int
    let example: EventPath
    let line: Int

    /// The sum of both, with the earlier example.
    fileprivate func merged(with other: Finding) -> Finding {
      let first = line <= other.line ? self : other
      return Finding(count: count + other.count, example: first.example, line: first.line)
    }
  }

  package static let wildcard = ExactText("*")

  /// The positions of its rows.
  package let places: TablePlaces
  /// The number of values that each row took, and of defaults that it wrote.
  package let rows: [Row: Int]
  /// The count of each event of the table.
  package let events: [ExactText: Int]
  package let eventsWithoutEntry: [ExactText: Int]
  package let keysWithoutRow: [OpenKey: Finding]

  /// The sum of two parts of a stream.
  func merged(with other: TableCoverage) -> TableCoverage {
    TableCoverage(
      places: places, rows: rows.merging(other.rows, uniquingKeysWith: +),
      events: events.merging(other.events, uniquingKeysWith: +),
      eventsWithoutEntry: eventsWithoutEntry.merging(other.eventsWithoutEntry, uniquingKeysWith: +),
      keysWithoutRow: keysWithoutRow.merging(other.keysWithoutRow) { $0.merged(with: $1) })
  }

  /// The table's events that were never seen, sorted.
  package var unseenEvents: [ExactText] {
    events.filter { $0.value == 0 }.keys.sorted()
  }

  /// Rows that were never used although their event was seen, sorted.
  var idleRows: [Row] {
    let idle = rows.filter { $0.value == 0 && events[$0.key.event] != 0 }.keys
    return idle.sorted { ($0.event, $0.source) < ($1.event, $1.source) }
  }

  /// The most similar key without a row; `nil` if none is similar.
  func likelyMeaning(of row: Row) -> String? {
    let open = keysWithoutRow.keys.filter { row.event == Self.wildcard || $0.event == row.event }
    return nearestWord(to: row.source.description, among: Set(open.map { ExactText($0.text) }).sorted().map(\.text))
  }

  /// The most similar event without an entry; `nil` if none is similar.
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
