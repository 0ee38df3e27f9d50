/// Lines of comma-separated values (RFC 4180).
///
/// A cell that a spreadsheet would execute as a formula (it starts with `=`, `+`, `-`, `@`, a tab or a carriage return) is
/// written with a leading apostrophe, which marks text in spreadsheets. So is what follows a `;`, which separates cells where a
/// comma separates decimals.
package enum CSVLine {
  /// A line of cells, terminated by CRLF.
  package static func text(_ cells: [String]) -> String {
    cells.map { cell in
      let text = mapped(cell) { isFormula($0) ? "'" + $0 : $0 }
      let isPlain = text.utf8.allSatisfy { $0 != 0x22 && $0 != 0x2C && $0 != 0x0A && $0 != 0x0D }
      return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
    }.joined(separator: ",") + "\r\n"
  }

  /// A cell without the apostrophe before a formula.
  package static func withoutGuard(_ text: String) -> String {
    mapped(text) { part in
      part.unicodeScalars.first == "'" && isFormula(part) ? String(part.unicodeScalars.dropFirst()) : part
    }
  }

  /// Changes the parts of a cell that spreadsheets of some languages take for cells.
  private static func mapped(_ cell: String, _ change: (String) -> String) -> String {
    cell.unicodeScalars.split(separator: ";", omittingEmptySubsequences: false).map { change(String($0)) }
      .joined(separator: ";")
  }

  /// Whether a spreadsheet would execute the text as a formula, ignoring leading apostrophes.
  private static func isFormula(_ text: String) -> Bool {
    let first = text.unicodeScalars.drop { $0 == "'" }.first
    return first.map { "=+-@\t\r".unicodeScalars.contains($0) } ?? false
  }
}
