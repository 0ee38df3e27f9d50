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
  let columns: Set<String>

  /// - Parameters:
  ///   - known: the allowed columns, in lower case.
  ///   - required: the required columns.
  /// - Throws: the findings with line and column.
  init(_ bytes: [UInt8], name: String?, known: [String], required: [String]) throws(DocumentError) {
    let text = CSVText(bytes)
    var findings = SheetFindings(bytes, name: name)
    if let fault = text.fault { findings.add(.invalidCSV, fault.message, at: fault.offset, help: fault.help) }
    try findings.throwIfAny()
    guard let header = text.records.first else {
      findings.add(.unfitColumns, "the file is empty", at: 0, help: "the first line names the columns")
      throw findings.error
    }
    let titles = header.map { $0.text.trimmed.lowercased() }
    let isForeign = titles.joined().contains { $0 == ";" || $0 == "\t" }
    if isForeign, !titles.contains(required.first ?? "") {
      findings.add(
        .otherSeparator, "the columns are separated by semicolons or tabs", at: header[0].offset,
        help: "save the file with commas between its cells")
      throw findings.error
    }
    for (index, title) in titles.enumerated() {
      if !known.contains(title) {
        let nearest = nearestWord(to: title, among: known).map { "did you mean `\($0)`? " } ?? ""
        findings.add(
          .unfitColumns, "unknown column `\(title)`", at: header[index].offset,
          help: nearest + "columns: " + known.joined(separator: ", "))
      } else if titles[..<index].contains(title) {
        findings.add(
          .unfitColumns, "the column `\(title)` appears twice", at: header[index].offset, help: "keep one")
      }
    }
    for title in required where !titles.contains(title) {
      findings.add(
        .unfitColumns, "the column `\(title)` is missing", at: header[0].offset, help: "name it in the first line")
    }
    for record in text.records.dropFirst() where record.count != titles.count {
      findings.add(
        .unevenRow, "the line has \(record.count) cells, the first one names \(titles.count) columns",
        at: record[0].offset, help: "put a cell that holds a comma in quotes")
    }
    try findings.throwIfAny()
    columns = Set(titles)
    rows = text.records.dropFirst().map { record in
      Row(offset: record[0].offset, cells: Dictionary(zip(titles, record), uniquingKeysWith: { first, _ in first }))
    }.filter { row in row.cells.values.contains { !$0.text.trimmed.isEmpty } }
  }
}

/// Collects the findings about a spreadsheet, by byte offset.
struct SheetFindings {
  private let source: SourceText
  private var findings: [(code: DocumentDiagnostic.Code, message: String, offset: Int, help: String?)] = []

  init(_ bytes: [UInt8], name: String?) {
    source = SourceText(bytes, name: name)
  }

  mutating func add(_ code: DocumentDiagnostic.Code, _ message: String, at offset: Int, help: String? = nil) {
    findings.append((code, message, offset, help))
  }

  /// The findings, up to ``DocumentReader/maximumFindings``.
  var error: DocumentError {
    let kept = findings.prefix(DocumentReader.maximumFindings)
    let positions = source.positions(at: Set(kept.map(\.offset)))
    var diagnostics = kept.map { finding in
      DocumentDiagnostic(
        .error, finding.code, finding.message, file: source.name, position: positions[finding.offset],
        help: finding.help)
    }
    if findings.count > kept.count {
      diagnostics.append(
        DocumentDiagnostic(.error, .moreFindings, "and \(findings.count - kept.count) more", file: source.name))
    }
    return DocumentError(diagnostics)
  }

  func throwIfAny() throws(DocumentError) {
    if !findings.isEmpty { throw error }
  }
}

extension String {
  /// The text without surrounding spaces and line breaks.
  fileprivate var trimmed: String {
    let isBlank: (UnicodeScalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
    let start = unicodeScalars.drop(while: isBlank)
    guard let last = start.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(start[...last])
  }
}

extension DocumentDiagnostic.Code {
  /// A file is not comma-separated values in UTF-8.
  static let invalidCSV = DocumentDiagnostic.Code(rawValue: "DS1201")
  /// A spreadsheet's cells are separated by semicolons or tabs.
  static let otherSeparator = DocumentDiagnostic.Code(rawValue: "DS1202")
  /// The header of a spreadsheet has an unknown, repeated or missing column.
  static let unfitColumns = DocumentDiagnostic.Code(rawValue: "DS1203")
  /// A line of a spreadsheet has more or fewer cells than the first one.
  static let unevenRow = DocumentDiagnostic.Code(rawValue: "DS1204")
  /// A cell, or a combination of cells, has no meaning in a table.
  static let unfitCell = DocumentDiagnostic.Code(rawValue: "DS1205")
  /// Two lines of a spreadsheet contradict each other.
  static let contradictoryRows = DocumentDiagnostic.Code(rawValue: "DS1206")
}
