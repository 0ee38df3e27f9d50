import DualSendCore

/// Aligned columns for a terminal.
public struct TextTable: Sendable {
  /// A column's title and alignment.
  public struct Column: Sendable {
    fileprivate let title: String
    fileprivate let isTrailing: Bool

    /// A left-aligned column.
    public static func words(_ title: String) -> Column {
      Column(title: title, isTrailing: false)
    }

    /// A right-aligned column.
    public static func numbers(_ title: String) -> Column {
      Column(title: title, isTrailing: true)
    }
  }

  private static let gap = "  "
  private let columns: [Column]
  /// The rows; `nil` for a rule.
  private var rows: [[String]?] = []

  /// Creates a table without rows.
  public init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row. Missing cells are empty, and extra cells are ignored. Cells are escaped and long ones shortened.
  public mutating func addRow(_ cells: [String]) {
    rows.append((0..<columns.count).map { $0 < cells.count ? cells[$0].printable() : "" })
  }

  /// Adds a horizontal rule, for example before a total.
  public mutating func addRule() {
    rows.append(nil)
  }

  /// The table as text, without trailing spaces.
  public var text: String {
    let titles = columns.map { $0.title.printable() }
    let widths = columns.indices.map { column in
      rows.reduce(titles[column].terminalWidth) { max($0, $1?[column].terminalWidth ?? 0) }
    }
    let rule = widths.map { String(repeating: "─", count: $0) }
    return ([titles, nil] + rows).map { line($0 ?? rule, widths) }.joined(separator: "\n") + "\n"
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

extension String {
  /// The number of terminal columns: East Asian wide characters and emoji take two.
  public var terminalWidth: Int {
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
