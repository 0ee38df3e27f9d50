import Foundation

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

extension JoinRule {
  /// The size assumed for a stream without a size, such as a pipe.
  private static let unknownSize = 4 << 30

  /// An empty join for the files of both streams.
  ///
  /// - Parameter memory: the approximate number of bytes of lines in memory, for all threads together.
  func lineJoin(_ files: [URL], memory: Int, threads: Int = 1) throws -> any LineJoin {
    let sizes = try files.map { file in
      let values = try file.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
      return values.isRegularFile == true ? values.fileSize ?? Self.unknownSize : Self.unknownSize
    }
    return switch self {
    case .eventID: IDJoin(expectedBytes: sizes.reduce(0, +), partitionBytes: max(memory / threads, 1))
    case .order: SortedJoin(self, chunkBytes: memory)
    }
  }
}
