import DualSend
@_spi(Tools) import DualSendCore

extension TableCoverage {
  /// What to look at, then what no row is about, then one line of totals.
  var text: String {
    [unusedText, eventsText, keysText, totals].compactMap { $0 }.joined(separator: "\n")
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

  private var eventsText: String? {
    var table = TextTable([.words("event without an entry"), .numbers("seen")])
    for (event, count) in eventsWithoutEntry.sorted(by: { $0.key < $1.key }) {
      table.addRow([event.text, count.grouped])
    }
    return eventsWithoutEntry.isEmpty ? nil : table.text
  }

  private var keysText: String? {
    var table = TextTable([.words("key without a row"), .words("in"), .numbers("seen"), .words("for example")])
    for (key, findings) in Dictionary(grouping: sortedKeys, by: { ExactText($0.key.text) })
      .sorted(by: { $0.key < $1.key })
    {
      let event = findings.first?.key.event.text ?? ""
      let example = findings.first?.value.example.description ?? ""
      table.addRow([
        key.text, findings.count == 1 ? event : "\(findings.count) events, such as \(event)",
        findings.reduce(0) { $0 + $1.value.count }.grouped, example.isExactly(key.text) ? "" : example,
      ])
    }
    return keysWithoutRow.isEmpty ? nil : table.text
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
      "eventsWithoutEntry": .byName(eventsWithoutEntry.mapValues { .int(Int64($0)) }),
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
  /// `12:9`, as after a file's name in a diagnostic.
  fileprivate var text: String { "\(line):\(column)" }
}
