import DualSendCommandLine
import DualSendCore
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
  /// - Parameters:
  ///   - old: all files of the old stream; those that were last written before the ``period`` are not read.
  ///   - comparison: identifies what is compared and how.
  /// - Throws: ``ParityError`` if a file cannot be read, or the store cannot be written. Then the store is as before.
  package func compare(
    old: [URL], new: [URL], keptIn store: ParityStore, as comparison: String
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
          memory = empty
          try db.execute(sql: "DELETE FROM event; DELETE FROM repeated; DELETE FROM trial")
        } else {
          memory.cursors = files.cursors
        }
        memory.period = period
        try read(files, into: db, &memory)
        try memory.keep(db)
        return GrowingParity(
          report: try Self.withUnits(memory, db), gone: files.gone(since: period.lowerBound - Self.margin))
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
        let start = before?.size ?? 0
        try handle.seek(toOffset: UInt64(start))
        var reader = RecordingReader(handle, formats[side], linesBefore: before?.lines ?? 0)
        let added = try keys.read(&reader, as: side, into: &lines)
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

  /// The report, with the first event of each unit.
  private static func withUnits(_ memory: ParityStore.Memory, _ db: Database) throws -> ParityReport {
    var report = memory.report
    let next = try db.makeStatement(
      sql: """
        SELECT event, unit, time, key, outcome FROM trial WHERE (event, unit) > (?, ?)
        ORDER BY event, unit, time, key LIMIT 1
        """)
    var trials: [ExactText: [UInt64: UnitSample.Trial]] = [:]
    var (event, unit) = (Data(), Int64.min)
    while let row = try Row.fetchOne(next, arguments: [event, unit]) {
      (event, unit) = (row[0], row[1])
      trials[ExactText(String(decoding: event, as: UTF8.self)), default: [:]][UInt64(bitPattern: unit)] =
        UnitSample.Trial(
          time: row[2], key: UInt64(bitPattern: row[3] as Int64), outcome: UnitSample.Outcome(rawValue: row[4]))
    }
    for index in report.events.indices {
      let name = report.events[index].name
      report.events[index].units = UnitSample(
        trials: trials[ExactText(name)] ?? [:], withoutUnit: memory.withoutUnit[name] ?? 0)
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
      func place(_ cursor: StreamCursor, among candidates: [URL]) throws -> Bool {
        guard let file = try candidates.first(where: cursor.isStart), let index = free.firstIndex(of: file) else {
          return false
        }
        free.remove(at: index)
        var cursor = cursor
        cursor.path = file.path
        self.cursors.append(cursor)
        return true
      }
      for cursor in cursors where cursor.side == side {
        if try !place(cursor, among: free.filter { $0.path == cursor.path }) { unplaced.append(cursor) }
      }
      for cursor in unplaced where try !place(cursor, among: free) { lost.append(cursor) }
    }
  }

  /// - Parameter time: files that were last written before it may go.
  func gone(since time: Int64) -> [String] { lost.filter { $0.written >= time }.map(\.path) }

  func unreadBytes(after cursors: [StreamCursor]) throws -> Int {
    let read = cursors.reduce(0) { $0 + $1.size }
    return Int(max(try toRead.values.joined().reduce(0) { $0 + (try OpenedFile.ifAny($1.path)?.size ?? 0) } - read, 0))
  }
}
