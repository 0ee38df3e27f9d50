import DualSendCommandLine
import DualSendCore

/// A list of renamings as text, CSV and JSON lines.
extension RenamingList {
  private static let columns = ["file", "line", "certainty", "event", "kind", "old", "new", "row", "by hand"]

  /// The changes of each place, and the totals.
  ///
  /// - Parameters:
  ///   - table: the table's name, of which the text has the last part.
  ///   - limit: the most rows; 0 for all of them.
  func text(table: String, limit: Int) -> String {
    let table = table.split(separator: "/").last.map(String.init) ?? table
    var rows = TextTable([
      .words("place"), .words("was"), .words("becomes"), .words("row"), .words("by hand"),
    ])
    for place in places {
      var name = "\(place.site.file):\(place.site.line)"
      func add(_ old: String, _ new: String, _ row: Int?, _ byHand: [String]) {
        rows.addRow([name, old, new, row.map { "\(table):\($0)" } ?? "", byHand.joined(separator: "; ")])
        name = ""
      }
      for event in place.events {
        for entry in event.entries where entry.isChange || entry.kind == .name {
          let indent = entry.kind == .name ? "" : "  "
          let isSame = entry.new.map(entry.old.isExactly) ?? false
          add(indent + entry.old, isSame ? "" : indent + (entry.new ?? "–"), entry.row, entry.byHand)
        }
      }
      if place.site.certainty != .exact { add("", "", nil, place.site.open) }
    }
    return (places.isEmpty ? "" : rows.text(limit: limit) + "\n") + totals
  }

  private var totals: String {
    let open = places.count { $0.site.certainty != .exact }
    let renaming = places.count(where: \.isRenaming)
    return "\(places.count.counted("place")): \(renaming.grouped) by new names and keys alone, "
      + "\((places.count - renaming - open).grouped) with more by hand, \(open.grouped) not exact; nothing was edited\n"
  }

  /// A line for each name, key and constant, and for each reason why a place is not exact.
  func csv(table: String) -> String {
    let lines = places.flatMap { place -> [[String]] in
      let start = [place.site.file, "\(place.site.line)", place.site.certainty.rawValue]
      let changes = place.events.flatMap { event in
        event.entries.map { entry in
          start + [
            event.name, entry.kind.rawValue, entry.old, entry.new ?? "", entry.row.map { "\(table):\($0)" } ?? "",
            entry.byHand.joined(separator: "; "),
          ]
        }
      }
      return changes + place.site.open.map { start + ["", "open", "", "", "", $0] }
    }
    return ([Self.columns] + lines).map(CSVLine.text).joined()
  }

  /// A line of canonical JSON for each place.
  func jsonLines(table: String) -> String {
    places.map { place in
      let events = place.events.map { event in
        EventValue.object([
          "name": .string(event.name), "entries": .array(event.entries.map { $0.json(table: table) }),
        ])
      }
      return EventValue.object([
        "file": .string(place.site.file), "line": .int(Int64(place.site.line)),
        "column": .int(Int64(place.site.column)), "certainty": .string(place.site.certainty.rawValue),
        "open": .array(place.site.open.map { .string($0) }), "events": .array(events),
      ]).canonicalText + "\n"
    }.joined()
  }
}

extension RenamingList.Entry {
  fileprivate func json(table: String) -> EventValue {
    .object([
      "kind": .string(kind.rawValue), "old": .string(old), "new": new.map { .string($0) } ?? .null,
      "row": row.map { .string("\(table):\($0)") } ?? .null, "byHand": .array(byHand.map { .string($0) }),
    ])
  }
}
