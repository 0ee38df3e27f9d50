import DualSendCore

/// Checks of dropped values.
extension TableLint {
  mutating func checkDrops(_ event: TableOutline.Event) {
    checkCancelledDrops(event)
    checkRedundantDrops(event)
    checkEmptyEvents(event)
  }

  private func sharedRow(for row: TableOutline.Row, of event: TableOutline.Event) -> TableOutline.Row? {
    guard event.name != TableOutline.wildcard else { return nil }
    return table.shared?.rows.first { $0.source == row.source }
  }

  private mutating func checkCancelledDrops(_ event: TableOutline.Event) {
    for row in event.rows where !row.isDrop {
      guard let shared = sharedRow(for: row, of: event), shared.isDrop else { continue }
      warn(
        .cancelledDrop, "`*` drops `\(row.source)`, but this row keeps it", at: row.offset, path: row.path,
        notes: ["the row of `*` is in line \(line(shared.offset))"],
        help: "remove the row if the value is dropped for privacy")
    }
  }

  private mutating func checkRedundantDrops(_ event: TableOutline.Event) {
    for row in event.rows where row.isDrop {
      let shared = sharedRow(for: row, of: event)
      if let shared, shared.isDrop {
        warnOfRedundantDrop(row, "`*` already drops `\(row.source)`", line(shared.offset))
      } else if shared == nil, event.name == TableOutline.wildcard ? everyEventDropsUnmapped : dropsUnmapped(event) {
        warnOfRedundantDrop(row, "`\"unmapped\": \"drop\"` already drops `\(row.source)`", nil)
      }
    }
  }

  private mutating func warnOfRedundantDrop(_ row: TableOutline.Row, _ message: String, _ line: Int?) {
    warn(
      .redundantDrop, message, at: row.offset, path: row.path,
      notes: line.map { ["the row of `*` is in line \($0)"] } ?? [], help: "remove the row")
  }

  /// Whether `*` drops values without a row, and no event overrides that.
  private var everyEventDropsUnmapped: Bool {
    table.shared?.dropsUnmapped == true && table.events.allSatisfy { $0.dropsUnmapped != false }
  }

  private mutating func checkEmptyEvents(_ event: TableOutline.Event) {
    let rows = event.rows + inheritedRows(of: event)
    guard dropsUnmapped(event), rows.allSatisfy(\.isDrop) else { return }
    // In a table that lists the allowed values, `*` drops everything on purpose.
    if event.name == TableOutline.wildcard, table.events.contains(where: { $0.rows.contains { !$0.isDrop } }) { return }
    let isOwn = event.unmapped != nil
    warn(
      .dropsEverything,
      (isOwn ? "" : "`*` has ") + "`\"unmapped\": \"drop\"`, and no row keeps a value: all values are dropped",
      at: event.unmapped?.offset ?? event.offset, path: event.unmapped?.path ?? event.path,
      help: "write a row for each value to keep, or `\"unmapped\": \"keep\"`")
  }
}
