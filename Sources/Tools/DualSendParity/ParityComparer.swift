package import DualSendCommandLine
import DualSendCore
package import DualSendRemapping
package import Foundation

/// Compares two streams of events in files of any size and in any order of lines.
///
/// The new stream is expected to equal the old one after the table. Memory stays below 200 MB, even if one id, or one
/// event that is joined by order, has most of the lines: the rest spills to a temporary file.
package struct ParityComparer: Sendable {
  /// The table to apply to old events.
  package var table: RemappingTable
  /// The changes to both sides before the comparison.
  package var normalisation: Normalisation
  /// How the two lines of an event are joined.
  package var join: JoinRule
  /// How the streams in which events belong are determined.
  package var membership = StreamMembership.everywhere
  /// Compares only events of this time, in milliseconds since 1970-01-01T00:00:00Z: that of the old line if there is one.
  /// Events without a time are left out. `nil` compares all.
  package var period: ClosedRange<Int64>?
  /// Whether the report has counts by day; see ``ParityReport/days``.
  package var countsDays = false
  /// Whether each event's report has its units; see ``EventParity/units``.
  package var samplesUnits = false
  /// With ``samplesUnits``: whether the report has the units with an event that fails; see ``ParityReport/affected``.
  package var listsAffectedUnits = false
  /// The path of the unit in new payloads, for lines without a `unitID`.
  package var unitKey: KeyPathPattern?
  /// The path in new payloads of what is sampled in place of units, such as a customer whose devices fail together.
  package var clusterKey: KeyPathPattern?
  /// How the lines of each side become lines of its form; a side without an entry has it already.
  package var formats: [StreamSide: LineFormat] = [:]
  /// The approximate number of bytes of lines in memory during a join, for all threads together.
  package var partitionBytes = 16 << 20
  /// The number of threads. Reading uses at most two, one for each stream. In a join by order, one thread merges and the
  /// others compare.
  package var threads = 1

  /// Creates a comparer.
  package init(table: RemappingTable, normalisation: Normalisation = .none, join: JoinRule = .eventID(parameter: nil)) {
    self.table = table
    self.normalisation = normalisation
    self.join = join
  }

  /// Compares an old stream with a new one.
  ///
  /// Lines that are not events are counted, and the report lists their numbers.
  ///
  /// - Parameters:
  ///   - old: JSON lines of ``StreamForm/legacy``.
  ///   - new: JSON lines, by default of ``StreamForm/wire``.
  ///   - form: the form of the new lines. The table is also applied to new lines of ``StreamForm/legacy``, to compare two
  ///     recordings of the old stream; see ``ParityReport/calibrated(by:)``.
  ///   - progress: called now and then, on the working threads.
  /// - Throws: if a file cannot be read, or the temporary folder cannot hold the lines.
  package func compare(
    old: URL, new: URL, form: StreamForm = .wire, progress: @escaping @Sendable (ParityProgress) -> Void = { _ in }
  ) throws(ParityError) -> ParityReport {
    try compare(old: [old], new: [new], form: form, progress: progress)
  }

  /// Compares two streams that are in several files each.
  ///
  /// With a ``period``, a last line without a line feed that is not an event is ignored: it is still being written.
  package func compare(
    old: [URL], new: [URL], form: StreamForm = .wire, progress: @escaping @Sendable (ParityProgress) -> Void = { _ in }
  ) throws(ParityError) -> ParityReport {
    try ParityError.wrapping {
      let keys = LineKeys(
        join: join, table: table, newForm: form, formats: formats, ignoresUnfinishedLine: period != nil)
      let meter = ProgressMeter(progress)
      switch join {
      case .eventID:
        let bytes = try (old + new).reduce(0) { $0 + (try Self.size(of: $1)) }
        let plan = IDJoin.Plan(expectedBytes: bytes, partitionBytes: max(partitionBytes / max(threads, 1), 1))
        return try compare(old, new, keys, meter, collector: { plan.lines() }) { IDJoin(plan, old: $0, new: $1) }
      case .order:
        let (join, bytes) = (join, partitionBytes)
        return try compare(old, new, keys, meter, collector: { SortedLines(chunkBytes: bytes) }) {
          SortedJoin(join, old: $0, new: $1, batchBytes: bytes)
        }
      }
    }
  }

  /// The size that a file without one, such as a pipe, is assumed to have.
  private static let unknownSize = 4 << 30

  private static func size(of file: URL) throws -> Int {
    let values = try file.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
    return values.isRegularFile == true ? values.fileSize ?? unknownSize : unknownSize
  }

  /// Each stream is collected by one thread, and afterwards read by all.
  private func compare<Collector: LineCollector>(
    _ old: [URL], _ new: [URL], _ keys: LineKeys, _ meter: ProgressMeter,
    collector: @escaping @Sendable () -> Collector, join: (Collector.Lines, Collector.Lines) -> any LineJoin
  ) throws -> ParityReport {
    let streams = [(old, StreamSide.old), (new, .new)]
    let read = try onThreads(min(max(threads, 1), streams.count)) { share in
      try stride(from: share.number, to: streams.count, by: share.count).map { index in
        var lines = collector()
        let stream = try keys.read(streams[index].0, as: streams[index].1, into: &lines, meter)
        return (stream: stream, lines: try lines.ended())
      }
    }.flatMap { $0 }
    var report = try report(of: join(read[0].lines, read[1].lines), keys, meter)
    report.old.merge(read[0].stream)
    report.new.merge(read[1].stream)
    return report
  }

  /// Compares all matches of a join. The report has no counts of lines.
  func report(of lines: any LineJoin, _ keys: LineKeys, _ meter: ProgressMeter) throws -> ParityReport {
    let compared = try onThreads(max(threads, 1)) { share in
      var matches = MatchComparer(self, keys)
      try lines.forEachMatch(in: share) { matches.count($0, meter) }
      return matches.report
    }
    var report = ParityReport(join: join, membership: membership.summary)
    report.merge(compared)
    return report
  }
}

/// The reason that two streams cannot be compared.
package struct ParityError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One line, with names of files and without payload values.
  package let reason: String

  /// One line.
  package var description: String { "the streams cannot be compared: \(reason)" }

  /// Wraps any other error that `body` throws.
  static func wrapping<Result>(_ body: () throws -> Result) throws(ParityError) -> Result {
    do {
      return try body()
    } catch {
      throw wrapped(error)
    }
  }

  /// The error itself, or one with its description.
  static func wrapped(_ error: any Error) -> ParityError {
    error as? ParityError ?? ParityError(reason: error.localizedDescription)
  }
}

// MARK: - Parity progress

/// The progress of a comparison.
package struct ParityProgress: Sendable, Hashable {
  /// The number of lines read from both streams.
  package internal(set) var linesRead = 0
  /// The number of lines compared.
  package internal(set) var linesCompared = 0
}

/// Adds up the progress of several threads.
final class ProgressMeter: Sendable {
  /// The number of lines after which a thread reports progress.
  static let step = 16_384

  private let total = Locked(ParityProgress())
  private let report: @Sendable (ParityProgress) -> Void

  init(_ report: @escaping @Sendable (ParityProgress) -> Void) {
    self.report = report
  }

  func add(read: Int = 0, compared: Int = 0) {
    let total = total.withLock { total in
      total.linesRead += read
      total.linesCompared += compared
      return total
    }
    report(total)
  }
}

// MARK: - Work share

/// One of several shares of some work.
package struct WorkShare: Sendable {
  package let number: Int
  package let count: Int

  package static let all = WorkShare(number: 0, count: 1)
}

/// Runs each share of some work on its own thread, the first one on the current thread.
///
/// All shares run concurrently, so one may wait for another.
///
/// - Throws: the error of the first share that fails, after all have ended.
package func onThreads<Result: Sendable>(
  _ count: Int, _ body: @escaping @Sendable (WorkShare) throws -> Result
) throws -> [Result] {
  guard count > 1 else { return [try body(.all)] }
  let results = Locked([Swift.Result<Result, any Error>?](repeating: nil, count: count))
  let share = { @Sendable (number: Int) in
    let result = Swift.Result { try body(WorkShare(number: number, count: count)) }
    results.withLock { $0[number] = result }
  }
  let others = DispatchGroup()
  for number in 1..<count {
    others.enter()
    Thread.detachNewThread {
      share(number)
      others.leave()
    }
  }
  share(0)
  others.wait()
  return try results.current.compactMap { try $0?.get() }
}
