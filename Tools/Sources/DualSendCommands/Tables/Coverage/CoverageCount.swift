import DualSend
package import DualSendCore
package import DualSendRemapping

/// Counts the rows of a remapping table that events use.
package struct CoverageCount {
  private let table: RemappingTable
  private var usages: [ExactText: RowUsage] = [:]

  package init(of table: RemappingTable) {
    self.table = table
  }

  /// Counts one event, or several of one shape.
  ///
  /// - Parameter line: the event's line, which determines the first example.
  /// - Returns: whether the result depends only on the shape. If it depends on values, count each event by itself.
  @discardableResult
  package mutating func add(_ name: String, payload: [String: EventValue], times: Int = 1, line: Int = 0) -> Bool {
    let absent = usages[ExactText(name), default: RowUsage(table.rule(for: name).rows)]
      .add(payload, times: times, line: line)
    if !absent.isEmpty { addDefaults(absent, of: ExactText(name), payload) }
    return absent.isEmpty
  }

  /// Counts the defaults that were written. A default yields to another value at its target, so the event is remapped
  /// unless the target is known to be free.
  private mutating func addDefaults(_ absent: [Int], of name: ExactText, _ payload: [String: EventValue]) {
    guard let rows = usages[name]?.rows else { return }
    var written: Set<KeyPathPattern>?
    for row in absent {
      if !rows[row].writesToFreePlace(of: payload), written == nil {
        written = Set(
          table.trace(name.text, payload: payload).trace.outputs.compactMap { output in
            if case .defaultValue(let source) = output.origin { source } else { nil }
          })
      }
    }
    for row in absent where written?.contains(rows[row].source) ?? true { usages[name]?.wroteDefault(row) }
  }

  /// - Parameter places: the positions of the table's rows.
  package func coverage(_ places: TablePlaces) -> TableCoverage {
    let shared = table.ruleForOthers.rows
    func row(_ row: RemappingRow, of event: ExactText) -> TableCoverage.Row {
      TableCoverage.Row(event: shared.contains(row) ? TableCoverage.wildcard : event, source: row.source)
    }
    var rows: [TableCoverage.Row: Int] = [:]
    for sharedRow in shared { rows[row(sharedRow, of: TableCoverage.wildcard)] = 0 }
    for (event, rule) in table.rules { for ownRow in rule.rows { rows[row(ownRow, of: ExactText(event))] = 0 } }
    var keys: [TableCoverage.OpenKey: TableCoverage.Finding] = [:]
    for (event, usage) in usages {
      for (index, count) in usage.counts.enumerated() { rows[row(usage.rows[index], of: event), default: 0] += count }
      for place in usage.openPlaces {
        keys[TableCoverage.OpenKey(event: event, steps: place.steps)] = TableCoverage.Finding(
          count: place.count, example: place.example, line: place.line)
      }
    }
    return TableCoverage(
      places: places, rows: rows,
      events: Dictionary(
        uniqueKeysWithValues: table.rules.keys.map { (ExactText($0), usages[ExactText($0)]?.payloads ?? 0) }),
      eventsWithoutEntry: usages.filter { !table.hasEntry(for: $0.key.text) }.mapValues(\.payloads),
      keysWithoutRow: keys)
  }
}
