extension DocumentDiagnostic {
  /// A place in a text. Both numbers count from 1; the column counts Unicode scalars.
  public struct Position: Sendable, Hashable, Comparable {
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
    public static func < (left: Position, right: Position) -> Bool {
      (left.line, left.column) < (right.line, right.column)
    }
  }
}
