import DualSendCore

/// What is left out, and what should be.
extension TableLint {
  mutating func lookAtDrops(_ event: TableOutline.Event) {
    lookAtCancelledDrops(event)
    lookAtRedundantDrops(event)
    lookAtEmptyEvents(event)
  }

  private func sharedRow(for row: TableOutline.Row, of event: TableOutline.Event) -> TableOutline.Row? {
    guard event.name != TableOutline.wildcard else { return nil }
    return table.shared?.rows.first { $0.source == row.source }
  }

  private mutating func lookAtCancelledDrops(_ event: TableOutline.Event) {
    for row in event.rows where !row.isDrop {
      guard let shared = sharedRow(for: row, of: event), shared.isDrop else { continue }
      warn(
        .cancelledDrop, "`*` drops `\(row.source)`, and this row sends it on", at: row.offset, path: row.path,
        notes: ["the row of `*` stands in line \(line(shared.offset))"],
        help: "remove the row if the value is dropped for privacy")
    }
  }

  private mutating func lookAtRedundantDrops(_ event: TableOutline.Event) {
    for row in event.rows where row.isDrop {
      let shared = sharedRow(for: row, of: event)
      if let shared, shared.isDrop {
        warnOfRedundantDrop(row, "`*` drops `\(row.source)` already", line(shared.offset))
      } else if shared == nil, event.name == TableOutline.wildcard ? everyEventDropsUnmapped : dropsUnmapped(event) {
        warnOfRedundantDrop(row, "`\"unmapped\": \"drop\"` drops `\(row.source)` already", nil)
      }
    }
  }

  private mutating func warnOfRedundantDrop(_ row: TableOutline.Row, _ message: String, _ line: Int?) {
    warn(
      .redundantDrop, message, at: row.offset, path: row.path,
      notes: line.map { ["the row of `*` stands in line \($0)"] } ?? [], help: "remove the row")
  }

  /// Whether `*` drops values without a row, and no event says otherwise.
  private var everyEventDropsUnmapped: Bool {
    table.shared?.dropsUnmapped == true && table.events.allSatisfy { $0.dropsUnmapped != false }
  }

  private mutating func lookAtEmptyEvents(_ event: TableOutline.Event) {
    let rows = event.rows + inheritedRows(of: event)
    guard dropsUnmapped(event), rows.allSatisfy(\.isDrop) else { return }
    // As the base of a table that names what may pass, `*` is meant to leave nothing.
    if event.name == TableOutline.wildcard, table.events.contains(where: { $0.rows.contains { !$0.isDrop } }) { return }
    let isOwn = event.unmapped != nil
    warn(
      .dropsEverything,
      (isOwn ? "" : "`*` says ") + "`\"unmapped\": \"drop\"`, and no row takes a value along: all of them are dropped",
      at: event.unmapped?.offset ?? event.offset, path: event.unmapped?.path ?? event.path,
      help: "write a row for each value that is to stay, or `\"unmapped\": \"keep\"`")
  }
}
