/// A text that diagnostics point into.
@_spi(Tools) public struct SourceText: Sendable {
  /// What to call the text, usually a file name.
  public let name: String?
  /// The text, UTF-8.
  public let bytes: [UInt8]

  /// Creates a source text.
  public init(_ bytes: some Sequence<UInt8>, name: String?) {
    self.name = name
    self.bytes = Array(bytes)
  }

  /// The lines and columns of many bytes in one pass.
  public func positions(at offsets: Set<Int>) -> [Int: SourcePosition] {
    var positions: [Int: SourcePosition] = [:]
    var line = 1
    var column = 1
    var start = 0
    for offset in offsets.sorted() {
      for byte in bytes[start..<min(offset, bytes.count)] {
        if byte == UInt8(ascii: "\n") {
          line += 1
          column = 1
        } else if byte & 0xC0 != 0x80 {
          column += 1
        }
      }
      start = min(offset, bytes.count)
      positions[offset] = SourcePosition(line: line, column: column)
    }
    return positions
  }

  /// The line and the column of a byte, both counted from 1; the column counts Unicode scalars.
  public func position(at offset: Int) -> SourcePosition {
    positions(at: [offset])[offset] ?? SourcePosition(line: 1, column: 1)
  }
}

/// A place in a text. Both numbers count from 1; the column counts Unicode scalars.
public struct SourcePosition: Sendable, Hashable, Comparable {
  /// The line.
  public let line: Int
  /// The column.
  public let column: Int

  /// Creates a position.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Orders by line, then column.
  public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
