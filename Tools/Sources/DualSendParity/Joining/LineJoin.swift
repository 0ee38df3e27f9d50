/// Takes the lines of both streams, the old ones first, and finds out which belong together.
protocol LineJoin {
  /// - Throws: ``ParityError`` if the disk cannot take the lines.
  func add(_ record: LineRecord) throws

  /// Calls `body` with each match, once every line was added; every line takes part in exactly one. A match's lines are
  /// valid until `body` returns.
  func forEachMatch(_ body: (LineMatch) throws -> Void) throws
}

/// What became of a line.
enum LineMatch {
  case pair(old: LineRecord, new: LineRecord)
  case alone(LineRecord)
  /// Another line with the same id was there before.
  case duplicate(LineRecord)
}
