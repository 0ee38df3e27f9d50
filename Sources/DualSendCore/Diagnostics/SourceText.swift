/// A text that diagnostics point into.
package struct SourceText: Sendable {
  /// The name of the text, usually a file name.
  package let name: String?
  /// The text, UTF-8.
  package let bytes: [UInt8]

  /// The byte order mark that some editors write at the start of UTF-8.
  package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Creates a source text.
  package init(_ bytes: some Sequence<UInt8>, name: String?) {
    self.name = name
    self.bytes = Array(bytes)
  }

  /// The lines and columns of byte offsets, computed in one pass.
  package func positions(at offsets: Set<Int>) -> [Int: DocumentDiagnostic.Position] {
    var positions: [Int: DocumentDiagnostic.Position] = [:]
    var line = 1
    var column = 1
    // Editors do not count the mark as a column.
    var start = bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
    for offset in offsets.inOrder() {
      for byte in bytes[start..<max(start, min(offset, bytes.count))] {
        if byte == UInt8(ascii: "\n") {
          line += 1
          column = 1
        } else if byte & 0xC0 != 0x80 {
          column += 1
        }
      }
      start = max(start, min(offset, bytes.count))
      positions[offset] = DocumentDiagnostic.Position(line: line, column: column)
    }
    return positions
  }

  /// The line and column of a byte offset.
  package func position(at offset: Int) -> DocumentDiagnostic.Position {
    positions(at: [offset])[offset] ?? DocumentDiagnostic.Position(line: 1, column: 1)
  }
}
