import DualSendCore

/// The cells of a workbook's first sheet: of `.xlsx` (ECMA-376, part 1, section 18.3) or `.ods` (OpenDocument 1.3, part 3,
/// section 9). Formulas count by the values that the spreadsheet kept.
///
/// A boolean and a date are what no text of a cell is: `'true`, and a date that is refused as a name.
struct Workbook {
  /// The most cells, with the empty ones before the last of each row.
  private static let maximumCells = 2_000_000
  /// The largest sheet of LibreOffice and Excel. A file may name any place.
  private static let (maximumRow, maximumColumn) = (1_048_576, 16_384)

  /// The rows that are not empty.
  private(set) var records: [[CSVText.Cell]] = []
  /// The name of the sheet that is read, and how many there are.
  private(set) var sheet: (name: String, count: Int) = ("", 0)
  private var cellCount = 0

  /// - Returns: `nil` if the archive is neither, or has more cells than are read.
  init?(_ bytes: [UInt8]) {
    guard let archive = ZipArchive(bytes) else { return nil }
    if let content = archive.file("content.xml") {
      readOpenDocument(content)
    } else if let workbook = archive.file("xl/workbook.xml") {
      guard readOfficeOpen(workbook, archive) else { return nil }
    } else {
      return nil
    }
    if cellCount > Self.maximumCells { return nil }
  }

  private mutating func add(_ texts: [(column: Int, text: String)], row: Int) {
    guard cellCount <= Self.maximumCells, row <= Self.maximumRow else { return }
    let filled = texts.filter { !$0.text.isEmpty && (1...Self.maximumColumn).contains($0.column) }
    guard let last = filled.map(\.column).max() else { return }
    cellCount += last
    var cells = (1...last).map { column in
      CSVText.Cell(text: "", offset: row * Self.maximumColumn + column, row: row, column: column)
    }
    for (column, text) in filled { cells[column - 1].text = text }
    records.append(cells)
  }

  /// How often something is repeated, at least once.
  private static func repeats(_ text: String?, atMost limit: Int) -> Int {
    text.flatMap { Int($0) }.map { min(max($0, 1), limit) } ?? 1
  }

  // MARK: xlsx

  private mutating func readOfficeOpen(_ workbook: [UInt8], _ archive: ZipArchive) -> Bool {
    var sheets: [(name: String, id: String)] = []
    for case .start("sheet", let attributes) in XMLPieces(workbook) {
      sheets.append((attributes["name"] ?? "", attributes["id"] ?? ""))
    }
    var targets: [String: String] = [:]
    for case .start("Relationship", let attributes) in XMLPieces(archive.file("xl/_rels/workbook.xml.rels") ?? []) {
      targets[attributes["Id"] ?? ""] = attributes["Target"]
    }
    guard let first = sheets.first, let target = targets[first.id] else { return false }
    sheet = (first.name, sheets.count)
    let path = target.hasPrefix("/") ? String(target.dropFirst()) : "xl/" + target
    guard let content = archive.file(path) else { return false }
    let shared = Self.sharedTexts(archive.file("xl/sharedStrings.xml") ?? [])
    let dates = Self.dateStyles(archive.file("xl/styles.xml") ?? [])
    var (row, column, type, style) = (0, 0, "", "")
    var texts: [(column: Int, text: String)] = []
    var (value, isValue) = ("", false)
    for piece in XMLPieces(content) {
      switch piece {
      case .start("row", let attributes):
        row = min(max(attributes["r"].flatMap { Int($0) } ?? row + 1, 1), Self.maximumRow + 1)
        (texts, column) = ([], 0)
      case .end("row"): add(texts, row: row)
      case .start("c", let attributes):
        column = min(attributes["r"].map(Self.column) ?? column + 1, Self.maximumColumn + 1)
        (type, style, value) = (attributes["t"] ?? "n", attributes["s"] ?? "", "")
      case .start("v", _), .start("t", _): isValue = true
      case .end("v"), .end("t"): isValue = false
      case .text(let text) where isValue: value += text
      case .end("c"):
        switch type {
        case "s": texts.append((column, Int(value).flatMap { shared.indices.contains($0) ? shared[$0] : nil } ?? ""))
        case "b": texts.append((column, value == "1" ? "'true" : "'false"))
        case "n" where dates.contains(style): texts.append((column, Self.date(ofSerial: value)))
        default: texts.append((column, value))
        }
      default: break
      }
    }
    return true
  }

  /// The number of a column: 3 of `C17`.
  private static func column(_ reference: String) -> Int {
    reference.utf8.prefix { $0 >= 65 && $0 <= 90 }.reduce(0) { min($0, 1_000_000) * 26 + Int($1) - 64 }
  }

  private static func sharedTexts(_ bytes: [UInt8]) -> [String] {
    var texts: [String] = []
    var (isText, isReading) = (false, false)
    for piece in XMLPieces(bytes) {
      switch piece {
      case .start("si", _): texts.append("")
      // How a text is read aloud is not the text.
      case .start("rPh", _): isReading = true
      case .end("rPh"): isReading = false
      case .start("t", _): isText = true
      case .end("t"): isText = false
      case .text(let text) where isText && !isReading && !texts.isEmpty: texts[texts.count - 1] += text
      default: break
      }
    }
    return texts
  }

  /// The numbers of the cell styles that show a date or a time.
  private static func dateStyles(_ bytes: [UInt8]) -> Set<String> {
    var formats = Set((14...22).map(String.init) + (45...47).map(String.init))
    var styles: Set<String> = []
    var (isCells, index) = (false, 0)
    for piece in XMLPieces(bytes) {
      switch piece {
      case .start("numFmt", let attributes):
        let code = (attributes["formatCode"] ?? "").lowercased()
        if code.contains("yy") || code.contains("mm") || code.contains("dd") {
          formats.insert(attributes["numFmtId"] ?? "")
        }
      case .start("cellXfs", _): isCells = true
      case .end("cellXfs"): isCells = false
      case .start("xf", let attributes) where isCells:
        if formats.contains(attributes["numFmtId"] ?? "") { styles.insert(String(index)) }
        index += 1
      default: break
      }
    }
    return styles
  }

  /// The day of a number of days since 1899-12-30.
  private static func date(ofSerial text: String) -> String {
    guard let days = Double(text), (0..<3_000_000).contains(days) else { return text }
    return String(Timestamp.text(milliseconds: (Int64(days) - 25_569) * 86_400_000).prefix(10))
  }

  // MARK: ods

  private mutating func readOpenDocument(_ content: [UInt8]) {
    var (row, column, rowRepeats) = (0, 0, 1)
    var texts: [(column: Int, text: String)] = []
    var (attributes, paragraphs): ([String: String], [String]) = ([:], [])
    var (isParagraph, isNote) = (false, false)
    for piece in XMLPieces(content) {
      switch piece {
      case .start("table", let own):
        sheet.count += 1
        if sheet.count == 1 { sheet.name = own["name"] ?? "" }
      case _ where sheet.count != 1: continue
      case .start("table-row", let own):
        rowRepeats = Self.repeats(own["number-rows-repeated"], atMost: Self.maximumRow)
        (texts, column) = ([], 0)
      case .end("table-row"):
        // Empty lines up to the last of the sheet are one element; lines with a text that repeat are lines.
        for repeated in 0..<(texts.contains { !$0.text.isEmpty } ? min(rowRepeats, 1000) : 0) {
          add(texts, row: row + 1 + repeated)
        }
        row = min(row + rowRepeats, Self.maximumRow)
      case .start("table-cell", let own), .start("covered-table-cell", let own):
        (attributes, paragraphs) = (own, [])
      case .start("annotation", _): isNote = true
      case .end("annotation"): isNote = false
      case .start("p", _) where !isNote:
        isParagraph = true
        paragraphs.append("")
      case .end("p"): isParagraph = false
      case .end("table-cell"), .end("covered-table-cell"):
        let text = Self.text(attributes, paragraphs.joined(separator: "\n"))
        let repeats = Self.repeats(attributes["number-columns-repeated"], atMost: Self.maximumColumn)
        if !text.isEmpty { texts += (1...min(repeats, 1000)).map { (column + $0, text) } }
        column = min(column + repeats, Self.maximumColumn)
      case _ where !isParagraph || isNote || paragraphs.isEmpty: continue
      case .start("s", let own):
        paragraphs[paragraphs.count - 1] += String(repeating: " ", count: Self.repeats(own["c"], atMost: 1000))
      case .start("line-break", _): paragraphs[paragraphs.count - 1] += "\n"
      case .text(let text): paragraphs[paragraphs.count - 1] += text
      default: break
      }
    }
  }

  private static func text(_ cell: [String: String], _ shown: String) -> String {
    switch cell["value-type"] {
    case "boolean": cell["boolean-value"].map { "'" + $0 } ?? shown
    case "date": cell["date-value"].map { String($0.prefix(10)) } ?? shown
    case "float": shown.hasPrefix("#") || shown.hasPrefix("Err:") ? shown : cell["value"] ?? shown
    default: shown
    }
  }
}
