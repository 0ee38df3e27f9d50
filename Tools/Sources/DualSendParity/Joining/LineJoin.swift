/// Joins the lines of two streams.
///
/// Two threads may add the two sides, and each share of the matches may be read by its own thread.
protocol LineJoin: Sendable {
  /// Adds a line.
  ///
  /// - Throws: ``ParityError`` if the temporary folder cannot hold the lines.
  func add(_ record: LineRecord) throws

  /// Calls `body` with each match of a share. All lines must have been added. Each line is in exactly one match of one
  /// share. The lines of a match are valid until `body` returns.
  func forEachMatch(in share: WorkShare, _ body: (LineMatch) throws -> Void) throws
}

/// The result of a join for one line or a pair.
enum LineMatch {
  case pair(old: LineRecord, new: LineRecord)
  case alone(LineRecord)
  /// A line whose id an earlier line of its stream has.
  case duplicate(LineRecord)
}
