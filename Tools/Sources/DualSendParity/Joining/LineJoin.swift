/// Takes the lines of both streams and finds out which belong together.
///
/// The two sides may be added by two threads, and the shares of the matches taken by as many as there are shares.
protocol LineJoin: Sendable {
  /// - Throws: ``ParityError`` if the disk cannot take the lines.
  func add(_ record: LineRecord) throws

  /// Calls `body` with each match of a share, once every line was added; every line takes part in exactly one match of
  /// exactly one share. A match's lines are valid until `body` returns.
  func forEachMatch(in share: WorkShare, _ body: (LineMatch) throws -> Void) throws
}

/// What became of a line.
enum LineMatch {
  case pair(old: LineRecord, new: LineRecord)
  case alone(LineRecord)
  /// Another line with the same id was there before.
  case duplicate(LineRecord)
}
