import DualSendCore

/// A spreadsheet whose first line has the column names.
struct Sheet {
  /// One line after the header.
  struct Row {
    /// The byte offset of the line.
    let offset: Int
    fileprivate let cells: [String: CSVText.Cell]

    /// The trimmed text of a column; empty if there is none.
    func text(_ column: String) -> String {
      cells[column]?.text.trimmed ?? ""
    }

    /// A name in a column: its text, or a JSON string, for names with surrounding white space.
    func name(_ column: String) -> String {
      let text = text(column)
      if text.hasPrefix("\""), case .string(let name)? = try? JSONReader().value(text.utf8) { return name }
      return text
    }

    /// The byte offset of a column's cell.
    func offset(_ column: String) -> Int { cells[column]?.offset ?? offset }
  }

  let rows: [Row]
  /// The columns that the sheet has.
  let columns: Set<String>
  /// The columns, with their headings where these are others, and what was not read.
  let reading: String

  /// - Parameters:
  ///   - known: the columns, in lower case.
  ///   - required: the required columns.
  ///   - chosen: the headings of columns; an empty one leaves its column out.
  /// - Throws: the findings with line and column.
  init(
    _ bytes: [UInt8], name: String?, known: [String], required: [String], chosen: [String: String] = [:]
  ) throws(DocumentError) {
    let text = CSVText(bytes)
    var findings = SheetFindings(bytes, name: name)
    if let fault = text.fault { findings.add(.invalidCSV, fault.message, at: fault.offset, help: fault.help) }
    try findings.throwIfAny()
    guard let header = text.records.first else {
      findings.add(.unfitColumns, "the file is empty", at: 0, help: "the first line names the columns")
      throw findings.error
    }
    let headings = SheetHeadings(header, known: known, required: required, chosen: chosen, &findings)
    for record in text.records.dropFirst() {
      guard let extra = record.dropFirst(header.count).first(where: { !$0.text.trimmed.isEmpty }) else { continue }
      findings.add(
        .unevenRow, "the line has \(record.count) cells, the first one names \(header.count) columns",
        at: extra.offset, help: "put a cell that holds a separator in quotes")
    }
    try findings.throwIfAny()
    let titles = headings.columns
    columns = Set(titles.compactMap { $0 })
    rows = text.records.dropFirst().map { record in
      let cells = zip(titles, record).compactMap { title, cell in title.map { ($0, cell) } }
      return Row(offset: record[0].offset, cells: Dictionary(cells, uniquingKeysWith: { first, _ in first }))
    }.filter { row in row.cells.values.contains { !$0.text.trimmed.isEmpty } }
    let isRead: (Int) -> Bool = { index in titles.indices.contains(index) && titles[index] != nil }
    let filled = Set(
      text.records.dropFirst().flatMap { record in
        record.indices.filter { !isRead($0) && !record[$0].text.trimmed.isEmpty }
      })
    reading = headings.reading(filled: filled)
  }
}

/// Collects the findings about a spreadsheet, by byte offset.
struct SheetFindings {
  private let source: SourceText
  private var found = BoundedFindings()

  init(_ bytes: [UInt8], name: String?) {
    source = SourceText(bytes, name: name)
  }

  mutating func add(_ code: DocumentDiagnostic.Code, _ message: String, at offset: Int, help: String? = nil) {
    let source = source
    found.report(
      DocumentDiagnostic(
        .error, code, message, file: source.name, position: source.position(at: offset), help: help))
  }

  /// The warnings with their lines and columns, sorted. Finds all places at once: a sheet may have thousands.
  func warnings(_ warnings: [SheetWarning]) -> [DocumentDiagnostic] {
    let positions = source.positions(at: Set(warnings.flatMap { [$0.offset, $0.other?.offset ?? $0.offset] }))
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
  /// The text without surrounding spaces and line breaks.
  var trimmed: String {
    let isBlank: (UnicodeScalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
    let start = unicodeScalars.drop(while: isBlank)
    guard let last = start.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(start[...last])
  }
}

extension DocumentDiagnostic.Code {
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
