import DualSendCommandLine
import DualSendCore

/// A workbook's first sheet, or comma-separated values (RFC 4180): quoted cells may contain commas, doubled quotes and line breaks. Cells may also be
/// separated by semicolons or tabs: by what the first line has most of, or says itself (`sep=;`).
///
/// Lines end with CRLF, LF or CR. Skips a byte order mark and empty lines. Cells are read without the
/// apostrophe that `CSVLine` writes before a formula.
package struct CSVText {
  struct Cell {
    var text: String
    /// The byte offset.
    let offset: Int
    /// From 1, as a spreadsheet counts.
    let row, column: Int

    /// As a spreadsheet shows it: `C17`.
    var address: String {
      var (letters, rest) = ("", column)
      while rest > 0 {
        letters = String(UnicodeScalar(UInt8(65 + (rest - 1) % 26))) + letters
        rest = (rest - 1) / 26
      }
      return letters + String(row)
    }
  }

  /// The lines that are not empty.
  private(set) var records: [[Cell]] = []
  private(set) var fault: (message: String, offset: Int, help: String)?
  /// The sheet of a workbook that is read, and how many there are; `nil` for a text.
  private(set) var sheet: (name: String, count: Int)?

  private let bytes: [UInt8]
  private var position = 0
  private var row = 0
  private var separator = UInt8(ascii: ",")

  /// Reads a text up to its end or to the first error.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if ZipArchive.isOne(bytes) {
      let workbook = Workbook(bytes)
      (records, sheet) = (workbook?.records ?? [], workbook?.sheet)
      if workbook == nil {
        fault = ("this archive is no workbook that can be read", 0, "save it as .xlsx, as .ods, or as CSV UTF-8")
      }
      return
    }
    if let foreign = Self.foreign(bytes) {
      fault = foreign
      return
    }
    position = bytes.starts(with: SourceText.byteOrderMark) ? SourceText.byteOrderMark.count : 0
    chooseSeparator()
    while position < bytes.count, fault == nil { readRecord() }
  }

  private mutating func chooseSeparator() {
    let rest = bytes[position...]
    let line = rest.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    if line.starts(with: "sep=".utf8), line.count == 5, let sign = line.last {
      separator = sign
      position += line.count
      // The line end that follows is the end of this row, which is none of the sheet's.
      row = -1
      return
    }
    // A heading in quotes may contain any of them, or a line break.
    var isQuoted = false
    var counts: [UInt8: Int] = [:]
    for byte in rest {
      if byte == Self.quote { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
      counts[byte, default: 0] += 1
    }
    for other in [UInt8(ascii: ";"), UInt8(ascii: "\t")] where counts[other, default: 0] > counts[separator, default: 0]
    {
      separator = other
    }
  }

  private mutating func readRecord() {
    var cells: [Cell] = []
    row += 1
    repeat {
      let start = position
      let text = current == Self.quote ? quotedCell() : plainCell()
      if fault != nil { return }
      cells.append(Cell(text: CSVLine.withoutGuard(text), offset: start, row: row, column: cells.count + 1))
    } while take(separator)
    let hadReturn = take(UInt8(ascii: "\r"))
    if !take(UInt8(ascii: "\n")), !hadReturn, position < bytes.count {
      fault = ("text follows the closing quote", position, "a quote inside a cell in quotes is doubled: `\"\"`")
      return
    }
    if cells.count > 1 || cells.first?.text.isEmpty == false { records.append(cells) }
  }

  private mutating func plainCell() -> String {
    let start = position
    while let byte = current, byte != separator, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") {
      if byte == Self.quote {
        fault = ("a quote inside a cell that is not in quotes", position, "put the cell in quotes and double this one")
        return ""
      }
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func quotedCell() -> String {
    let start = position
    var text: [UInt8] = []
    position += 1
    while let byte = current {
      position += 1
      if byte != Self.quote {
        text.append(byte)
      } else if current == Self.quote {
        text.append(byte)
        position += 1
      } else {
        return String(decoding: text, as: UTF8.self)
      }
    }
    fault = ("the quote that opens here is never closed", start, "close it with `\"`")
    return ""
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    position += 1
    return true
  }

  private static let quote = UInt8(ascii: "\"")

  /// The error for bytes that are not CSV in UTF-8.
  private static func foreign(_ bytes: [UInt8]) -> (message: String, offset: Int, help: String)? {
    let help = "in the spreadsheet: save as .xlsx, .ods or CSV UTF-8"
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      return ("the text is UTF-16, not UTF-8", 0, help)
    }
    if let zero = bytes.firstIndex(of: 0) { return ("the file is not text: it has a zero byte", zero, help) }
    let decoded = String(decoding: bytes, as: UTF8.self).utf8
    guard !decoded.elementsEqual(bytes) else { return nil }
    let same = zip(bytes, decoded).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    return ("the text is not UTF-8 here", same ?? bytes.count, help)
  }
}
