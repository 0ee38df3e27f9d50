import DualSend
import DualSendCommandLine
package import DualSendCore
import DualSendRemapping
package import DualSendTables

/// The parts of a remapping table that events use, and the parts of the events without a row. Keeps no values.
package struct TableCoverage: Sendable {
  package typealias Row = TablePlaces.Row

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

// MARK: - Rendering

extension TableCoverage {
  /// The unused rows, then the events and keys without a row, then one line of totals.
  ///
  /// - Parameter limit: the largest number of lines in each of the two lists of names; 0 for no limit.
  func text(limit: Int) -> String {
    [unusedText, eventsText(limit), keysText(limit), totals].compactMap { $0 }.joined(separator: "\n")
  }

  private var unusedText: String? {
    var table = TextTable([.words("row that never fired"), .words("of event"), .words("at"), .words("note")])
    for row in idleRows {
      let note = likelyMeaning(of: row).map { "did you mean `\($0)`, which has no row?" } ?? ""
      table.addRow([row.source.description, row.event.text, places.place(of: row)?.text ?? "", note])
    }
    for event in unseenEvents {
      let note = likelyMeaning(ofEvent: event).map { "; did you mean `\($0)`, which has no entry?" } ?? ""
      table.addRow(["(all)", event.text, places.place(ofEvent: event)?.text ?? "", "the event was never seen" + note])
    }
    return idleRows.isEmpty && unseenEvents.isEmpty ? nil : table.text
  }

  private func eventsText(_ limit: Int) -> String? {
    guard !eventsWithoutEntry.isEmpty else { return nil }
    var table = TextTable([.words("event without an entry"), .numbers("seen")])
    let groups = KeyGroup.groups(of: eventsWithoutEntry.keys, limit: limit)
    let lines = groups.map { group in
      Line(group: group, seen: group.words.reduce(0) { $0 + (eventsWithoutEntry[$1] ?? 0) })
    }
    let (shown, rest) = Line.worthShowing(lines, limit: limit)
    for line in shown { table.addRow([line.title(of: "event"), line.seen.grouped]) }
    return table.text + rest
  }

  private func keysText(_ limit: Int) -> String? {
    guard !keysWithoutRow.isEmpty else { return nil }
    var table = TextTable([.words("key without a row"), .words("in"), .numbers("seen"), .words("for example")])
    let findings = Dictionary(grouping: sortedKeys) { ExactText($0.key.text) }
    let lines = KeyGroup.groups(of: findings.keys, limit: limit).map { group in
      Line(group: group, seen: group.words.reduce(0) { $0 + (findings[$1] ?? []).reduce(0) { $0 + $1.value.count } })
    }
    let (shown, rest) = Line.worthShowing(lines, limit: limit)
    for line in shown {
      let found = line.group.words.flatMap { findings[$0] ?? [] }
      let events = Set(found.map(\.key.event))
      let event = found.first?.key.event.text ?? ""
      let example = found.first?.value.example.description ?? ""
      table.addRow([
        line.title(of: "key"), events.count == 1 ? event : "\(events.count.counted("event")), such as \(event)",
        line.seen.grouped, example.isExactly(line.group.title) ? "" : example,
      ])
    }
    return table.text + rest
  }

  /// A group of names, and its count of events.
  private struct Line {
    let group: KeyGroup
    let seen: Int

    func title(of noun: String) -> String {
      group.words.count == 1 ? group.title : group.title + " (\(group.words.count.counted(noun)))"
    }

    /// The most frequent lines up to the limit, and a text that counts the others.
    static func worthShowing(_ lines: [Line], limit: Int) -> (shown: [Line], rest: String) {
      guard limit > 0, lines.count > limit else { return (lines, "") }
      let ranked = lines.enumerated().sorted { ($1.element.seen, $0.offset) < ($0.element.seen, $1.offset) }
      let rest = ranked[limit...].map(\.element)
      let names = rest.reduce(0) { $0 + $1.group.words.count }
      let seen = rest.reduce(0) { $0 + $1.seen }
      return (
        ranked[..<limit].map(\.element), "… and \(names.grouped) more, seen \(seen.grouped) times; see --limit\n"
      )
    }
  }

  /// By event, then key.
  private var sortedKeys: [(key: OpenKey, value: Finding)] {
    keysWithoutRow.sorted {
      ($0.key.event, ExactText($0.key.text)) < ($1.key.event, ExactText($1.key.text))
    }
  }

  private var totals: String {
    let fired = rows.values.count { $0 > 0 }
    let seen = events.values.count { $0 > 0 }
    return "\(fired.grouped) of \(rows.count.counted("row")) fired, \(seen.grouped) of \(events.count.counted("event"))"
      + " in the table seen; \(eventsWithoutEntry.count.counted("event")) without an entry,"
      + " \(keysWithoutRow.count.counted("key")) without a row\n"
  }

  var json: EventValue {
    [
      "idleRows": .array(
        idleRows.map { row in
          [
            "event": .string(row.event.text), "source": .string(row.source.description),
            "line": places.place(of: row).map { .int(Int64($0.line)) } ?? .null,
            "column": places.place(of: row).map { .int(Int64($0.column)) } ?? .null,
            "didYouMean": likelyMeaning(of: row).map { .string($0) } ?? .null,
          ]
        }),
      "unseenEvents": .array(unseenEvents.map { .string($0.text) }),
      "eventsWithoutEntry": .array(
        eventsWithoutEntry.sorted { $0.key < $1.key }.map {
          ["event": .string($0.key.text), "count": .int(Int64($0.value))]
        }),
      "keysWithoutRow": .array(
        sortedKeys.map { key, finding in
          [
            "event": .string(key.event.text), "key": .string(key.text), "count": .int(Int64(finding.count)),
            "example": .string(finding.example.description),
          ]
        }),
      "rows": .array(
        rows.sorted { ($0.key.event, $0.key.source) < ($1.key.event, $1.key.source) }.map { row, count in
          [
            "event": .string(row.event.text), "source": .string(row.source.description), "fired": .int(Int64(count)),
          ]
        }),
    ]
  }
}

extension DocumentDiagnostic.Position {
  /// `12:9`, as in a diagnostic.
  fileprivate var text: String { "\(line):\(column)" }
}

/// Words with a common prefix, which share a line of a report.
struct KeyGroup {
  /// The word, or the common prefix and a `*`.
  let title: String
  let words: [ExactText]

  /// One group per word up to the limit, else one per prefix.
  ///
  /// The prefix ends after the last separator before the first digit: `exp.1042` and `exp.1043` become `exp.*`.
  ///
  /// - Parameter limit: the largest number of words without grouping; 0 for no limit.
  static func groups(of words: some Sequence<ExactText>, limit: Int) -> [KeyGroup] {
    let words = words.sorted()
    guard limit > 0, words.count > limit else { return words.map { KeyGroup(title: $0.text, words: [$0]) } }
    return Dictionary(grouping: words) { ExactText(start(of: $0.text)) }
      .map { start, words in KeyGroup(title: words.count == 1 ? words[0].text : start.text + "*", words: words) }
      .sorted { String.byteOrder($0.title, $1.title) }
  }

  private static func start(of word: String) -> String {
    let letters = word.prefix { !$0.isNumber }
    guard let separator = letters.lastIndex(where: { "._-/: ".contains($0) }) else { return String(letters) }
    return String(letters[...separator])
  }
}
