import DualSendCore

/// The columns that the headings of a spreadsheet stand for.
///
/// A heading is a column if it is its name, in any case. Others are recognised by their words: *Old parameter* and
/// *Property (legacy)* are `key`, *Target event name* is `new event`. A word of no meaning here, as in *Event owner*, makes
/// it a heading of the team's own.
struct SheetHeadings {
  private static let events: Set<String> = ["event", "events"]
  private static let keys: Set<String> = [
    "key", "keys", "parameter", "parameters", "param", "params", "property", "properties", "prop", "props",
    "attribute", "attributes", "field", "fields",
  ]
  private static let old: Set<String> = ["old", "legacy", "current", "existing", "source", "from", "before"]
  private static let new: Set<String> = ["new", "target", "to", "destination", "after", "future"]
  private static let fillers: Set<String> = ["name", "names", "the", "of", "in", "tracker", "logger", "tracking"]

  private static let statuses: Set<String> = ["status", "state", "decision", "approval", "approved", "done"]

  /// The column of each heading; `nil` for one that is not read.
  private(set) var columns: [String?]
  private let titles: [String]

  /// Reports headings that could be two columns, and columns without a heading.
  init(
    _ header: [CSVText.Cell], known: [String], required: [String], chosen: [String: String],
    _ findings: inout SheetFindings
  ) {
    titles = header.map { $0.text.trimmed }
    columns = [String?](repeating: nil, count: titles.count)
    let start = header.first?.offset ?? 0
    let choice = "name it: --column COLUMN=HEADING"
    for (column, heading) in chosen.sorted(by: { $0.key < $1.key }) where !heading.isEmpty {
      if let index = titles.firstIndex(where: { $0.lowercased() == heading.lowercased() }) {
        columns[index] = column
      } else {
        findings.add(
          .unfitColumns, "no column has the heading `\(heading)`", at: start,
          help: "the headings are " + titles.filter { !$0.isEmpty }.map { "`\($0)`" }.joined(separator: ", "))
      }
    }
    for index in titles.indices where columns[index] == nil {
      let title = titles[index].lowercased()
      guard known.contains(title), chosen[title] == nil else { continue }
      if columns.contains(title) {
        findings.add(
          .unfitColumns, "the column `\(title)` appears twice", at: header[index].offset, help: "keep one")
      }
      columns[index] = title
    }
    let exact = Set(columns.compactMap { $0 })
    for index in titles.indices where columns[index] == nil {
      guard let column = Self.column(of: titles[index]), known.contains(column), chosen[column] == nil,
        !exact.contains(column)
      else {
        guard chosen[titles[index].lowercased()] == nil else { continue }
        refuseMistype(header[index], known: known, &findings)
        continue
      }
      if let other = columns.firstIndex(of: column) {
        findings.add(
          .unfitColumns, "`\(titles[other])` and `\(titles[index])` could both be `\(column)`",
          at: header[index].offset,
          help: choice)
      } else {
        columns[index] = column
      }
    }
    if known.contains(TableSheet.reviewColumn), chosen[TableSheet.reviewColumn] == nil,
      !columns.contains(TableSheet.reviewColumn),
      let index = titles.firstIndex(where: { Self.statuses.contains($0.lowercased()) })
    {
      findings.add(
        .unfitColumns, "`\(titles[index])` may say which lines are meant", at: header[index].offset,
        help:
          "--column review=\(titles[index]) reads it: `ok` stands in a line that is right; --column review= leaves it out"
      )
    }
    for column in required where !columns.contains(column) {
      findings.add(
        .unfitColumns, "the column `\(column)` is missing", at: start,
        help: "name it in the first line, or \(choice)")
    }
  }

  /// The columns, with their headings where these are others, and what is not read.
  ///
  /// - Parameter filled: the columns that are not read and have a text.
  func reading(filled: Set<Int>) -> String {
    let taken = zip(titles, columns).compactMap { title, column in
      column.map { $0 == title.lowercased() ? $0 : "\($0) (`\(title)`)" }
    }
    let left = filled.union(titles.indices.filter { columns[$0] == nil && !titles[$0].isEmpty }).sorted().map { index in
      titles.indices.contains(index) && !titles[index].isEmpty ? "`\(titles[index])`" : "column \(index + 1)"
    }
    return "columns: " + taken.joined(separator: ", ")
      + (left.isEmpty ? "" : "; not read: " + left.joined(separator: ", "))
  }

  /// A heading that is nearly a column would otherwise be left out in silence.
  private func refuseMistype(_ cell: CSVText.Cell, known: [String], _ findings: inout SheetFindings) {
    let title = cell.text.trimmed.lowercased()
    guard !title.isEmpty, let nearest = nearestWord(to: title, among: known) else { return }
    findings.add(
      .unfitColumns, "unknown column `\(title)`", at: cell.offset,
      help: "did you mean `\(nearest)`? If it is your own, give it another heading")
  }

  private static func column(of title: String) -> String? {
    if title.lowercased().hasPrefix(TableSheet.reviewColumn + ":") { return TableSheet.reviewColumn }
    let words = Set(title.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
    let (isEvent, isKey) = (!words.isDisjoint(with: events), !words.isDisjoint(with: keys))
    let (isOld, isNew) = (!words.isDisjoint(with: old), !words.isDisjoint(with: new))
    let all = events.union(keys).union(old).union(new).union(fillers)
    guard words.isSubset(of: all), isEvent || isKey, !(isOld && isNew) else { return nil }
    // *Event property* is a property.
    return (isNew ? "new " : "") + (isKey ? "key" : "event")
  }
}
