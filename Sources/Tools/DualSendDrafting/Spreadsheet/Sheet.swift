import DualSendCore

/// A spreadsheet: the lines below the one that has the column names.
struct Sheet {
  /// One line after the header.
  struct Row {
    /// The byte offset of the line.
    let offset: Int
    fileprivate let cells: [String: CSVText.Cell]
    fileprivate let words: SheetWords

    /// The trimmed text of a column; empty if there is none.
    func text(_ column: String) -> String {
      cells[column]?.text.trimmed ?? ""
    }

    /// A name in a column: its text, or a JSON string, for names that look like something else; the old name where the cell
    /// has a word for that; empty for a word for nothing.
    func name(_ column: String) -> String {
      let text = text(column)
      if column.hasPrefix("new ") {
        if words.same.contains(text) { return name(String(column.dropFirst(4))) }
        if words.none.contains(text) { return "" }
      }
      if text.hasPrefix("\""), case .string(let name)? = try? JSONReader().value(text.utf8) { return name }
      return text
    }

    /// Whether the cell of a column says that there is no new name.
    func isNone(_ column: String) -> Bool { words.none.contains(text(column)) }

    /// The byte offset of a column's cell.
    func offset(_ column: String) -> Int { cells[column]?.offset ?? offset }

    /// Whether only these columns have a text.
    func has(only columns: Set<String>) -> Bool {
      cells.allSatisfy { columns.contains($0.key) || $0.value.text.trimmed.isEmpty }
    }

    fileprivate var isEmpty: Bool { has(only: []) }
  }

  /// How far below the first line the header may be.
  private static let maximumTitles = 20
  private static let nameColumns = ["event", "key", "new event", "new key", "old", "new"]

  let rows: [Row]
  /// The columns that the sheet has.
  let columns: Set<String>
  /// The columns, with their headings where these are others, and what was not read.
  let reading: String
  /// What is no line of the table and was left out, each with its place: titles, sums, and the header again.
  let leftOut: [String]
  /// The findings about its cells, to which a reader adds its own.
  let findings: SheetFindings

  /// Reads the lines, and checks each cell of a name; see ``findings``.
  ///
  /// - Parameters:
  ///   - known: the columns, in lower case.
  ///   - required: the required columns.
  ///   - chosen: the headings of columns; an empty one leaves its column out.
  ///   - words: what stands in place of a new name.
  /// - Throws: the findings about the file and its headings, with line, column and the cell's address.
  init(
    _ bytes: [UInt8], name: String?, known: [String], required: [String], chosen: [String: String] = [:],
    words: SheetWords = SheetWords()
  ) throws(DocumentError) {
    let text = CSVText(bytes)
    var findings = SheetFindings(bytes, name: name, text.records)
    if let fault = text.fault { findings.add(.invalidCSV, fault.message, at: fault.offset, help: fault.help) }
    try findings.throwIfAny()
    guard !text.records.isEmpty else {
      findings.add(.unfitColumns, "the file is empty", at: 0, help: "the first line names the columns")
      throw findings.error
    }
    let titleCount = Self.titleCount(text.records, name, known, required, chosen)
    let records = text.records.dropFirst(titleCount)
    let header = records[titleCount]
    let headings = SheetHeadings(header, known: known, required: required, chosen: chosen, &findings)
    try findings.throwIfAny()
    var leftOut = text.records.prefix(titleCount).map { "line \($0[0].row) is above the header" }
    let (titles, headerTitles) = (headings.columns, header.map(\.text.title))
    var rows: [Row] = []
    for record in records.dropFirst() {
      if record.count == header.count, zip(record, headerTitles).allSatisfy({ $0.text.title == $1 }) {
        leftOut.append("line \(record[0].row) is the header again")
        continue
      }
      if let extra = record.dropFirst(header.count).first(where: { !$0.text.trimmed.isEmpty }) {
        findings.add(
          .unevenRow, "the line has \(record.count) cells, the header names \(header.count) columns",
          at: extra.offset, help: "put a cell that holds a separator in quotes")
      }
      let cells = zip(titles, record).compactMap { title, cell in title.map { ($0, cell) } }
      let row = Row(
        offset: record[0].offset, cells: Dictionary(cells, uniquingKeysWith: { first, _ in first }), words: words)
      if !row.isEmpty { rows.append(row) }
    }
    (self.rows, leftOut) = Self.withoutTitles(rows, leftOut)
    for row in self.rows { Self.check(row, &findings) }
    columns = Set(titles.compactMap { $0 })
    self.leftOut = leftOut
    let isRead: (Int) -> Bool = { index in titles.indices.contains(index) && titles[index] != nil }
    let filled = Set(
      records.dropFirst().flatMap { record in
        record.indices.filter { !isRead($0) && !record[$0].text.trimmed.isEmpty }
      })
    let place = text.sheet.map { "sheet `\($0.name)`" + ($0.count > 1 ? ", the first of \($0.count); " : "; ") } ?? ""
    reading = place + headings.reading(filled: filled)
    self.findings = findings
  }

  /// How many lines are above the header: those before the first one that has every column that is required.
  private static func titleCount(
    _ records: [[CSVText.Cell]], _ name: String?, _ known: [String], _ required: [String], _ chosen: [String: String]
  ) -> Int {
    func isHeader(_ record: [CSVText.Cell]) -> Bool {
      var findings = SheetFindings([], name: name, [])
      let headings = SheetHeadings(record, known: known, required: required, chosen: chosen, &findings)
      return Set(headings.columns.compactMap { $0 }).isSuperset(of: required.isEmpty ? ["event"] : Set(required))
    }
    return records.prefix(maximumTitles).firstIndex(where: isHeader) ?? 0
  }

  /// The lines without titles of sections and sums. The event of merged cells, with its keys below, is no title.
  private static func withoutTitles(_ rows: [Row], _ leftOut: [String]) -> (rows: [Row], leftOut: [String]) {
    var (kept, leftOut) = ([Row](), leftOut)
    let hasOthers = rows.contains { !$0.has(only: ["event"]) }
    for (index, row) in rows.enumerated() {
      let next = index + 1 < rows.count ? rows[index + 1] : nil
      let isAlone = hasOthers && row.has(only: ["event"]) && next?.text("event").isEmpty != true
      let isSum = SheetCell.isSum(row.text("event")) && row.text("new event").isEmpty && row.text("new key").isEmpty
      guard isAlone || isSum, !row.text("event").hasPrefix("\"") else {
        kept.append(row)
        continue
      }
      let place = row.cells["event"]?.row ?? 0
      leftOut.append(
        "line \(place), `\(row.text("event").printable(limit: 40))`, "
          + (isSum
            ? "is a sum" : "has nothing else: a title, or an event that keeps its name (say so: the action `event`)"))
    }
    return (kept, leftOut)
  }

  private static func check(_ row: Row, _ findings: inout SheetFindings) {
    for column in nameColumns where !row.text(column).isEmpty {
      let (text, isNew) = (row.text(column), column.hasPrefix("new "))
      if text.hasPrefix("\"") || isNew && (row.words.same.contains(text) || row.words.none.contains(text)) { continue }
      let isOldName = isNew && text == row.text(String(column.dropFirst(4)))
      guard let fault = SheetCell.fault(ofName: text, isNew: isNew && !isOldName) else { continue }
      let words = isNew ? "; if it is a word of yours: --same or --none says what it means" : ""
      findings.add(
        .noName, "`\(text.printable(limit: 40))` \(fault)", at: row.offset(column),
        help:
          "correct the cell; a name that looks like this is written in double quotes, \(EventValue.string(text).canonicalText)"
          + words)
    }
    for column in ["default", "value"] where !row.text(column).isEmpty {
      guard let fault = SheetCell.fault(of: row.text(column)), (try? JSONReader().value(row.text(column).utf8)) == nil
      else { continue }
      findings.add(
        .noName, "`\(row.text(column).printable(limit: 40))` \(fault)", at: row.offset(column),
        help: "a text that looks like this is written in double quotes; a boolean or a number with `'` before it")
    }
  }
}

/// What stands in a sheet in place of new names.
package struct SheetWords: Sendable {
  /// The new name is the old one.
  package var same: Set<String> = []
  /// The value is left out.
  package var none: Set<String> = []

  package init(same: some Sequence<String> = [], none: some Sequence<String> = []) {
    (self.same, self.none) = (Set(same), Set(none))
  }
}

/// Collects the findings about a spreadsheet, by byte offset.
struct SheetFindings {
  private let source: SourceText
  /// By offset.
  private let cells: [Int: CSVText.Cell]
  /// Whether offsets are places in a text. In a workbook, the place of a finding is the row and the column of its cell.
  private let isText: Bool
  private var found = BoundedFindings()

  init(_ bytes: [UInt8], name: String?, _ records: [[CSVText.Cell]]) {
    source = SourceText(bytes, name: name)
    isText = !ZipArchive.isOne(bytes)
    cells = Dictionary(records.joined().map { ($0.offset, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private func cellPosition(_ offset: Int) -> DocumentDiagnostic.Position? {
    cells[offset].map { DocumentDiagnostic.Position(line: $0.row, column: $0.column) }
  }

  mutating func add(_ code: DocumentDiagnostic.Code, _ message: String, at offset: Int, help: String? = nil) {
    let place = cells[offset].map { $0.address + ": " } ?? ""
    let position = isText ? source.position(at: offset) : cellPosition(offset)
    found.report(
      DocumentDiagnostic(.error, code, place + message, file: source.name, position: position, help: help))
  }

  /// The warnings with their lines and columns, sorted. Finds all places at once: a sheet may have thousands.
  func warnings(_ warnings: [SheetWarning]) -> [DocumentDiagnostic] {
    let offsets = Set(warnings.flatMap { [$0.offset, $0.other?.offset ?? $0.offset] })
    let positions =
      isText
      ? source.positions(at: offsets)
      : Dictionary(uniqueKeysWithValues: offsets.compactMap { offset in cellPosition(offset).map { (offset, $0) } })
    return warnings.map { warning in
      let notes = warning.other.map { ["`\($0.key)` is in line \(positions[$0.offset]?.line ?? 0)"] }
      return DocumentDiagnostic(
        .warning, warning.code, warning.message, file: source.name, position: positions[warning.offset],
        notes: notes ?? [], help: warning.help)
    }.sorted()
  }

  /// The findings by position, up to ``DocumentReader/maximumFindings``.
  var error: DocumentError { DocumentError(found.diagnostics) }

  func throwIfAny() throws(DocumentError) {
    if !found.isEmpty { throw error }
  }
}

/// What a person should look at in a spreadsheet.
struct SheetWarning {
  let code: DocumentDiagnostic.Code
  let message: String
  /// The byte offset.
  let offset: Int
  /// Another key that it is about, and its byte offset.
  var other: (key: String, offset: Int)?
  let help: String
}

extension String {
  /// A heading without case, surrounding space and byte order mark.
  fileprivate var title: String { replacing("\u{FEFF}", with: "").trimmed.lowercased() }

  /// The text without surrounding spaces and line breaks.
  var trimmed: String {
    let isBlank: (UnicodeScalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
    let start = unicodeScalars.drop(while: isBlank)
    guard let last = start.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(start[...last])
  }
}

extension DocumentDiagnostic.Code {
  /// A cell of a name has something that is none: an error, a formula, a word for nothing, several names.
  static let noName = DocumentDiagnostic.Code(rawValue: "DS1210")
  /// A file is not comma-separated values in UTF-8.
  static let invalidCSV = DocumentDiagnostic.Code(rawValue: "DS1201")
  /// The header of a spreadsheet has an unknown, repeated or missing column.
  static let unfitColumns = DocumentDiagnostic.Code(rawValue: "DS1203")
  /// A line of a spreadsheet has more or fewer cells than the first one.
  static let unevenRow = DocumentDiagnostic.Code(rawValue: "DS1204")
  /// A cell, or a combination of cells, has no meaning in a table.
  static let unfitCell = DocumentDiagnostic.Code(rawValue: "DS1205")
  /// Two lines of a spreadsheet contradict each other.
  static let contradictoryRows = DocumentDiagnostic.Code(rawValue: "DS1206")
  /// Several old keys become one new key.
  static let mergedKeys = DocumentDiagnostic.Code(rawValue: "DS1207")
  /// A proposal of `table draft --review` that a person has not looked at.
  static let unreviewed = DocumentDiagnostic.Code(rawValue: "DS1209")
  /// A key has no new key, and the sheet has no column that could say that its value is left out.
  static let keptKey = DocumentDiagnostic.Code(rawValue: "DS1208")
}
