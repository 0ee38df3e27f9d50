import DualSendCommandLine
import DualSendCore
import DualSendRemapping
package import Foundation
import GRDB

/// The comparison of files that grow.
package struct GrowingParity: Sendable {
  package let report: ParityReport
  /// The files that had lines at the last call and do not have them any more.
  package let gone: [String]
}

extension ParityComparer {
  /// How long before the period a file may have been last written whose loss is told: a call may take that long.
  private static let margin: Int64 = 600_000

  /// Compares two streams by id, as ``compare(old:new:form:progress:)`` does, but reads only what their files have more than
  /// at the last call with the same store.
  ///
  /// All is read again if the comparison or the start of the period is another one, or its end is an earlier one. Of several
  /// lines of a side with one id, the first is the one that was read first.
  ///
  /// Where files lost lines that were read, it counts nothing more: what else is new may lack its other line. If the start
  /// of the period moves on, units that failed since `start` stay failures.
  ///
  /// - Parameters:
  ///   - old: all files of the old stream; those that were last written before the ``period`` are not read.
  ///   - comparison: identifies what is compared and how.
  ///   - start: when the step began, in milliseconds since 1970-01-01T00:00:00Z.
  /// - Throws: ``ParityError`` if a file cannot be read, or the store cannot be written. Then the store is as before.
  package func compare(
    old: [URL], new: [URL], keptIn store: ParityStore, as comparison: String, since start: Int64? = nil
  ) throws(ParityError) -> GrowingParity {
    try ParityError.wrapping {
      let period = period ?? .min ... .max
      return try store.update { db in
        let empty = ParityStore.Memory(
          comparison: comparison, period: period,
          report: ParityReport(join: join, membership: membership.summary))
        var memory = try ParityStore.Memory(db) ?? empty
        let files = try StreamFiles([(.old, old), (.new, new)], cursors: memory.cursors, since: period.lowerBound)
        if memory.comparison != comparison || memory.period.lowerBound != period.lowerBound
          || memory.period.upperBound > period.upperBound
        {
          let isSameStep = start.map { $0 <= memory.period.lowerBound } ?? false
          try StoredEvents.removeAll(
            from: db, keepingFailures: isSameStep && memory.comparison == comparison)
          memory = empty
        } else {
          memory.cursors = files.cursors
        }
        let gone = files.gone(since: period.lowerBound - Self.margin)
        memory.period = period
        if gone.isEmpty { try read(files, into: db, &memory) }
        try memory.keep(db)
        return GrowingParity(report: try withUnits(memory, db), gone: gone)
      }
    }
  }

  /// Counts what the files have after their cursors, and moves these.
  private func read(_ files: StreamFiles, into db: Database, _ memory: inout ParityStore.Memory) throws {
    let keys = LineKeys(join: join, table: table, formats: formats, ignoresUnfinishedLine: true)
    var read: [StreamCursor] = []
    func stream(_ side: StreamSide, into lines: inout PartitionedLines) throws -> ParityReport.Stream {
      var stream = ParityReport.Stream()
      for file in files.toRead[side] ?? [] {
        // Another process may have moved it away since it was listed.
        guard let handle = try OpenedFile.ifAny(file.path)?.handle else { continue }
        defer { try? handle.close() }
        let before = memory.cursors.first { $0.side == side && $0.path == file.path }
        let isPackedSince = before?.isPackedSince ?? false
        let start = isPackedSince ? 0 : before?.size ?? 0
        try handle.seek(toOffset: UInt64(start))
        var reader = RecordingReader(handle, formats[side], linesBefore: isPackedSince ? 0 : before?.lines ?? 0)
        let added = try keys.read(&reader, as: side, into: &lines, after: isPackedSince ? before?.lines ?? 0 : 0)
        let size =
          reader.isPacked ? Int64(try handle.seekToEnd()) : start + Int64(reader.bytesRead - added.ignoredBytes)
        stream.merge(added.stream)
        read.append(
          try StreamCursor(
            of: file, side: side, size: size, lines: reader.linesRead - (added.ignoredBytes > 0 ? 1 : 0), in: handle))
      }
      return stream
    }
    let plan = IDJoin.Plan(expectedBytes: try files.unreadBytes(after: memory.cursors), partitionBytes: partitionBytes)
    var lines = (old: plan.lines(), new: plan.lines())
    let streams = (old: try stream(.old, into: &lines.old), new: try stream(.new, into: &lines.new))
    let events = try StoredEvents(self, keys, memory.period, db)
    try IDJoin(plan, old: lines.old, new: lines.new).forEachMatch(in: .all) { try events.take($0) }
    try events.countRipe()
    try events.count(in: &memory)
    memory.report.old.merge(streams.old)
    memory.report.new.merge(streams.new)
    memory.cursors = memory.cursors.filter { old in !read.contains { $0.isOf(old) } } + read
  }

  /// The report, with its units.
  private func withUnits(_ memory: ParityStore.Memory, _ db: Database) throws -> ParityReport {
    var units = ParityReport(join: join)
    units.events = try StoredEvents.units(db).map { name, units in
      var event = EventParity(name: name.text, newName: table.apply(to: name.text, payload: [:]).name)
      event.units = units
      return event
    }
    var report = memory.report
    report.merge([units])
    for index in report.events.indices {
      report.events[index].units.withoutUnit = memory.withoutUnit[report.events[index].name] ?? 0
    }
    return report
  }
}

// MARK: - Stream files

/// The files of two streams, and where those are that were read before.
private struct StreamFiles {
  /// The files to read, in order.
  let toRead: [StreamSide: [URL]]
  /// The cursors, each with the path that its file has now.
  private(set) var cursors: [StreamCursor] = []
  private var lost: [StreamCursor] = []

  /// - Parameter time: files that were last written before it are not read, in milliseconds since 1970-01-01T00:00:00Z.
  init(_ files: [(StreamSide, [URL])], cursors: [StreamCursor], since time: Int64) throws {
    toRead = try Dictionary(uniqueKeysWithValues: files).mapValues {
      try $0.filter { try StreamCursor.written($0) ?? time >= time }
    }
    for (side, present) in files {
      var free = present
      var unplaced: [StreamCursor] = []
      func place(_ cursor: StreamCursor, among candidates: [URL], isPacked: Bool = false) throws -> Bool {
        let file = try candidates.first { try isPacked ? cursor.isStart(ofPacked: $0) : cursor.isStart(of: $0) }
        guard let file, let index = free.firstIndex(of: file) else { return false }
        free.remove(at: index)
        var cursor = cursor
        (cursor.path, cursor.isPackedSince) = (file.path, isPacked)
        self.cursors.append(cursor)
        return true
      }
      for cursor in cursors where cursor.side == side {
        if try !place(cursor, among: free.filter { $0.path == cursor.path }) { unplaced.append(cursor) }
      }
      unplaced = try unplaced.filter { try !place($0, among: free) }
      for cursor in unplaced where try !place(cursor, among: free, isPacked: true) { lost.append(cursor) }
    }
  }

  /// - Parameter time: files that were last written before it may go.
  func gone(since time: Int64) -> [String] { lost.filter { $0.written >= time }.map(\.path) }

  func unreadBytes(after cursors: [StreamCursor]) throws -> Int {
    let read = cursors.reduce(0) { $0 + $1.size }
    return Int(max(try toRead.values.joined().reduce(0) { $0 + (try OpenedFile.ifAny($1.path)?.size ?? 0) } - read, 0))
  }
}
