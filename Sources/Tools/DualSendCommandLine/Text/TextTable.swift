import DualSendCore

/// A table for a terminal or for Markdown.
package struct TextTable: Sendable {
  /// A column's title and alignment.
  package struct Column: Sendable {
    fileprivate let title: String
    fileprivate let isTrailing: Bool

    /// A left-aligned column.
    package static func words(_ title: String) -> Column {
      Column(title: title, isTrailing: false)
    }

    /// A right-aligned column.
    package static func numbers(_ title: String) -> Column {
      Column(title: title, isTrailing: true)
    }
  }

  fileprivate enum Row: Sendable {
    case cells([String])
    case total([String])
    case rule
  }

  private static let gap = "  "
  private let columns: [Column]
  private let isRuled: Bool
  private var rows: [Row] = []

  /// Creates a table without rows.
  ///
  /// - Parameter isRuled: whether a rule follows the titles on a terminal.
  package init(_ columns: [Column], isRuled: Bool = true) {
    (self.columns, self.isRuled) = (columns, isRuled)
  }

  /// Adds a row. Missing cells are empty, and extra cells are ignored. Cells are escaped and long ones shortened.
  package mutating func addRow(_ cells: [String]) {
    rows.append(.cells(fitted(cells)))
  }

  /// Adds a row of totals, which is bold in Markdown.
  package mutating func addTotal(_ cells: [String]) {
    rows.append(.total(fitted(cells)))
  }

  /// Adds a horizontal rule on a terminal, for example before a total.
  package mutating func addRule() {
    rows.append(.rule)
  }

  private func fitted(_ cells: [String]) -> [String] {
    columns.indices.map { $0 < cells.count ? cells[$0].printable() : "" }
  }

  /// The table for a terminal, without trailing spaces.
  package var text: String {
    let titles = columns.map { $0.title.printable() }
    let cells = [titles] + rows.compactMap(\.cells)
    let widths = columns.indices.map { column in cells.map { $0[column].terminalWidth }.max() ?? 0 }
    let rule = widths.map { String(repeating: "─", count: $0) }
    let lines = [titles] + (isRuled ? [rule] : []) + rows.map { $0.cells ?? rule }
    return lines.map { line($0, widths) }.joined(separator: "\n") + "\n"
  }

  /// The table for a terminal with the first rows, and a line that counts the others.
  ///
  /// - Parameter limit: the most rows; 0 for all of them.
  package func text(limit: Int) -> String {
    guard limit > 0, rows.count > limit else { return text }
    var shown = self
    shown.rows = Array(rows.prefix(limit))
    return shown.text + "… and \((rows.count - limit).grouped) more; see --limit\n"
  }

  /// The table for Markdown, without rules of its own.
  package var markdown: String {
    func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
    let alignments = columns.map { $0.isTrailing ? "--:" : "---" }
    let lines = rows.compactMap { line -> String? in
      switch line {
      case .cells(let cells): row(cells.map(\.markdownEscaped))
      case .total(let cells): row(cells.map { $0.isEmpty ? "" : "**\($0.markdownEscaped)**" })
      case .rule: nil
      }
    }
    return row(columns.map(\.title.markdownEscaped)) + row(alignments) + lines.joined()
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    let padded = columns.indices.map { column in
      let space = String(repeating: " ", count: widths[column] - cells[column].terminalWidth)
      return columns[column].isTrailing ? space + cells[column] : cells[column] + space
    }
    let line = padded.joined(separator: Self.gap)
    return String(line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)])
  }
}

extension TextTable.Row {
  fileprivate var cells: [String]? {
    switch self {
    case .cells(let cells), .total(let cells): cells
    case .rule: nil
    }
  }
}

extension String {
  /// The text on one line, without meaning in Markdown, also in that of code hosts: no person is told, no formula drawn,
  /// no address made a link.
  package var markdownEscaped: String {
    var escaped = ""
    // By scalar: a Markdown character followed by a combining mark still has its meaning.
    for scalar in printable().unicodeScalars {
      switch scalar {
      case "@": escaped += "@<!-- -->"
      case "$": escaped += "<span>$</span>"
      case _ where "\\`*_~[]<>|#&".unicodeScalars.contains(scalar): escaped += "\\\(scalar)"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped.replacing("://", with: "\\://").replacing("www.", with: "www\\.")
  }

  /// The number of terminal columns: East Asian wide characters and emoji take two.
  package var terminalWidth: Int {
    reduce(0) { width, character in
      width + (character.unicodeScalars.contains(where: \.isWide) ? 2 : 1)
    }
  }
}

extension UnicodeScalar {
  /// Whether the scalar is in a wide or full-width block of UAX #11.
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      true
    default: properties.isEmojiPresentation
    }
  }
}
