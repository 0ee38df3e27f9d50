import DualSendCommandLine
package import DualSendCore
package import DualSendParity

/// Kept parity, summed by day, by event or by revision.
package struct ParityTrend: Sendable {
  /// What a row is about.
  package enum Grouping: String, Sendable, CaseIterable {
    case day, event, revision, all
  }

  /// Which lines count.
  package struct Filter: Sendable {
    package var event: ExactText?
    package var revision: Int64?
    /// In days since 1970-01-01.
    package var days: ClosedRange<Int64> = .min ... .max

    package init() {}
  }

  package struct Row: Sendable {
    /// `nil` if the row is about all.
    package let day: Int64?
    package let event: String?
    /// The revisions that the counted events were decided by; `nil` for events without a decision.
    package let revisions: [Int64?]
    package let counts: DayCounts

    package var json: EventValue {
      var members: [String: EventValue] = ["revisions": .array(revisions.map { $0.map { .int($0) } ?? .null })]
      if let day { members["date"] = .string(ParityDays.date(day)) }
      if let event { members["event"] = .string(event) }
      for count in DayCount.allCases { members[count.name] = .int(Int64(counts[count])) }
      return .object(members)
    }
  }

  let grouping: Grouping
  package private(set) var rows: [Row] = []

  package init(_ days: ParityDays, by grouping: Grouping, filter: Filter = Filter()) {
    struct Group: Hashable {
      var day: Int64?
      var event: ExactText?
      var revision: Int64??
    }
    self.grouping = grouping
    var sums: [Group: (counts: DayCounts, revisions: Set<Int64?>)] = [:]
    for (key, counts) in days.counts where filter.days.contains(key.day) {
      if let event = filter.event, event != key.event { continue }
      if let revision = filter.revision, revision != key.revision { continue }
      var group = Group()
      if grouping == .day || grouping == .all { group.day = key.day }
      if grouping == .event || grouping == .all { group.event = key.event }
      if grouping == .revision || grouping == .all { group.revision = .some(key.revision) }
      sums[group, default: (DayCounts(), [])].counts.add(counts)
      sums[group]?.revisions.insert(key.revision)
    }
    rows = sums.map { group, sum in
      let revisions = sum.revisions.sorted { ($0 ?? .min) < ($1 ?? .min) }
      return Row(day: group.day, event: group.event?.text, revisions: revisions, counts: sum.counts)
    }
    .sorted { left, right in
      if left.day != right.day { return (left.day ?? 0) < (right.day ?? 0) }
      if left.event != right.event { return String.byteOrder(left.event ?? "", right.event ?? "") }
      return (left.revisions.first.flatMap { $0 } ?? .min) < (right.revisions.first.flatMap { $0 } ?? .min)
    }
  }

  // MARK: Forms

  private var titles: [String] {
    (rows.contains { $0.day != nil } || grouping == .day || grouping == .all ? ["date"] : [])
      + (grouping == .event || grouping == .all ? ["event"] : [])
      + [grouping == .revision || grouping == .all ? "revision" : "revisions"] + DayCount.allCases.map(\.name)
  }

  private func cells(_ row: Row, isGrouped: Bool) -> [String] {
    let names = [row.day.map(ParityDays.date), row.event].compactMap { $0 }
    let revisions = row.revisions.map { $0.map(String.init) ?? "none" }.joined(separator: " ")
    let counts = DayCount.allCases.map { row.counts[$0] }
    return names + [revisions] + counts.map { isGrouped ? $0.grouped : String($0) }
  }

  private var table: TextTable {
    var table = TextTable(
      titles.map { title in
        DayCount.allCases.contains { $0.name == title } ? .numbers(title) : .words(title)
      })
    for row in rows { table.addRow(cells(row, isGrouped: true)) }
    return table
  }

  var text: String { table.text }
  var markdown: String { table.markdown }

  /// RFC 4180 with a header. A name that a spreadsheet would execute as a formula gets a leading apostrophe.
  var csv: String {
    ([titles] + rows.map { cells($0, isGrouped: false) }).map(CSVLine.text).joined()
  }

  /// One object for each row.
  var json: EventValue {
    .array(rows.map(\.json))
  }
}
