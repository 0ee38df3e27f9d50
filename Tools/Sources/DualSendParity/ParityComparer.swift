package import DualSendRemapping
package import Foundation

/// Compares two streams of events in files, whatever their size and the order of their lines.
///
/// The old stream, taken through the table, says what the new one should hold. Memory stays below 200 MB, also where one id,
/// or one event that is joined by order, has most of the lines: what does not fit waits in a temporary file.
package struct ParityComparer: Sendable {
  /// What becomes of old events.
  package var table: RemappingTable
  /// What is done to both sides before they are compared.
  package var normalisation: Normalisation
  /// How the two lines of an event find each other.
  package var join: JoinRule
  /// In which streams events belong.
  package var membership = StreamMembership.everywhere
  /// Counts only events of this time, in milliseconds since 1970-01-01T00:00:00Z, by the old line where there is one; `nil`
  /// counts all. An event without a time is of none.
  package var period: ClosedRange<Int64>?
  /// About how many bytes of lines are joined at a time, by all threads together; the rest waits in a file.
  package var partitionBytes = 16 << 20
  /// How many threads work at once. Reading takes two at most, one for each stream; in a join by order one
  /// merges and the others compare.
  package var threads = 1

  /// Creates a comparer.
  package init(table: RemappingTable, normalisation: Normalisation = .none, join: JoinRule = .eventID(parameter: nil)) {
    self.table = table
    self.normalisation = normalisation
    self.join = join
  }

  /// Compares an old stream with a new one.
  ///
  /// Lines that are no events are counted and named in the report by number; nothing else is said of them.
  ///
  /// - Parameters:
  ///   - old: JSON lines of ``StreamForm/legacy``.
  ///   - new: JSON lines, by default of ``StreamForm/wire``.
  ///   - form: the form of the new lines. With ``StreamForm/legacy`` they go through the table as well: that is how old is
  ///     compared with old, see ``ParityReport/calibrated(by:)``.
  ///   - progress: called now and then, on the threads that do the work.
  /// - Throws: if a file cannot be read, or the temporary folder cannot take the lines.
  package func compare(
    old: URL, new: URL, form: StreamForm = .wire, progress: @escaping @Sendable (ParityProgress) -> Void = { _ in }
  ) throws(ParityError) -> ParityReport {
    try compare(old: [old], new: [new], form: form, progress: progress)
  }

  /// Compares streams that are in several files each, as ``compare(old:new:form:progress:)``.
  package func compare(
    old: [URL], new: [URL], form: StreamForm = .wire, progress: @escaping @Sendable (ParityProgress) -> Void = { _ in }
  ) throws(ParityError) -> ParityReport {
    do {
      let streams = [(old, StreamSide.old), (new, .new)]
      let lines = lineJoin(expectedBytes: try (old + new).map(Self.size).reduce(0, +))
      let meter = ProgressMeter(progress)
      let read = try onThreads(min(max(threads, 1), streams.count)) { share in
        var run = ParityRun(comparer: self, newForm: form)
        for index in stride(from: share.number, to: streams.count, by: share.count) {
          for file in streams[index].0 { try run.read(file, as: streams[index].1, into: lines, meter) }
        }
        return run.report
      }
      let compared = try onThreads(max(threads, 1)) { share in
        var run = ParityRun(comparer: self, newForm: form)
        try lines.forEachMatch(in: share) { run.count($0, meter) }
        return run.report
      }
      var report = ParityReport(join: join, membership: membership.summary)
      report.merge(read + compared)
      return report
    } catch let error as ParityError {
      throw error
    } catch {
      throw ParityError(reason: error.localizedDescription)
    }
  }

  private func lineJoin(expectedBytes: Int) -> any LineJoin {
    switch join {
    case .eventID: IDJoin(expectedBytes: expectedBytes, partitionBytes: max(partitionBytes / max(threads, 1), 1))
    case .order(_, let window): OrderJoin(window: window, chunkBytes: partitionBytes)
    }
  }

  /// What to expect of a stream that has no size, such as a pipe.
  private static let unknownSize = 4 << 30

  private static func size(of file: URL) throws -> Int {
    let values = try file.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
    return values.isRegularFile == true ? values.fileSize ?? unknownSize : unknownSize
  }
}

/// Why two streams could not be compared.
package struct ParityError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One line; names files, never holds payload values.
  package let reason: String

  /// One factual line.
  package var description: String { "the streams cannot be compared: \(reason)" }
}
