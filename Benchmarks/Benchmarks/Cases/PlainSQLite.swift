import DualSend
import DualSendCore
import Foundation

#if canImport(GRDBSQLite)
  import GRDBSQLite
#else
  import SQLite3
#endif

/// The least that a program in C would do for the same rows: prepared statements, one transaction a stage.
final class PlainSQLite {
  private var connection: OpaquePointer?
  private var insertion: OpaquePointer?
  private var selection: OpaquePointer?
  /// Makes SQLite copy what it is given.
  private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init(_ file: URL) throws {
    try check(sqlite3_open(file.path, &connection))
    try run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    try run("CREATE TABLE event(sequence INTEGER PRIMARY KEY, id BLOB, time INTEGER, name TEXT, body BLOB)")
    try check(
      sqlite3_prepare_v2(connection, "INSERT INTO event(id, time, name, body) VALUES(?, ?, ?, ?)", -1, &insertion, nil))
    try check(
      sqlite3_prepare_v2(
        connection, "SELECT sequence, id, time, name, body FROM event ORDER BY sequence LIMIT ?", -1, &selection, nil))
  }

  deinit {
    sqlite3_finalize(insertion)
    sqlite3_finalize(selection)
    sqlite3_close(connection)
  }

  func append(_ events: [TrackingData]) throws {
    try run("BEGIN IMMEDIATE")
    for event in events {
      sqlite3_bind_blob(insertion, 1, event.body, 16, transient)
      sqlite3_bind_int64(insertion, 2, event.time)
      sqlite3_bind_text(insertion, 3, event.name, -1, transient)
      sqlite3_bind_blob(insertion, 4, event.body, Int32(event.body.count), transient)
      try check(sqlite3_step(insertion), expected: SQLITE_DONE)
      sqlite3_reset(insertion)
    }
    try run("COMMIT")
  }

  func batch(maximumEvents: Int) throws -> [UInt8] {
    var bodies: [UInt8] = []
    sqlite3_bind_int64(selection, 1, Int64(maximumEvents))
    while sqlite3_step(selection) == SQLITE_ROW {
      let body = UnsafeRawBufferPointer(
        start: sqlite3_column_blob(selection, 4), count: Int(sqlite3_column_bytes(selection, 4)))
      bodies.append(contentsOf: body)
    }
    try check(sqlite3_reset(selection))
    return bodies
  }

  func deleteAll() throws {
    try run("DELETE FROM event WHERE sequence > 0")
  }

  /// What the same rows cost, step by step, in processor time of this thread: microseconds an event.
  struct Cost {
    var insert = 0.0
    var read = 0.0
    var deflate = 0.0
    var delete = 0.0

    /// What a tracker that only stores has to do.
    var storing: Double { insert + read + delete }
    /// What a tracker that sends has to do, but for the sending.
    var sending: Double { storing + deflate }
    /// What delivering a backlog has to do, but for the sending.
    var draining: Double { read + deflate + delete }
  }

  /// The medians over batches of 2,000 events; deflate is at the level that the tracker takes, 4.
  @MainActor
  static func cost(batches: Int = 15) throws -> Cost {
    let folder = try TemporaryFolder()
    let plain = try PlainSQLite(folder.file("plain.sqlite"))
    var generator = SystemRandomNumberGenerator()
    let batch = (0..<2000).map { Workload.stored($0, id: EventID(milliseconds: Int64($0), using: &generator)) }
    var times = [[Double]](repeating: [], count: 4)
    for _ in 0..<batches {
      times[0].append(try Measure.processorSeconds { try plain.append(batch) })
      var bodies: [UInt8] = []
      times[1].append(try Measure.processorSeconds { bodies = try plain.batch(maximumEvents: batch.count) })
      times[2].append(Measure.processorSeconds { keep(Zlib.compress(bodies, as: .deflate, level: 4)) })
      times[3].append(try Measure.processorSeconds { try plain.deleteAll() })
    }
    let steps = times.map { Samples($0).median / Double(batch.count) * 1e6 }
    return Cost(insert: steps[0], read: steps[1], deflate: steps[2], delete: steps[3])
  }

  private func run(_ sql: String) throws {
    try check(sqlite3_exec(connection, sql, nil, nil, nil))
  }

  private func check(_ code: Int32, expected: Int32 = SQLITE_OK) throws {
    guard code == expected else { throw InvalidRun(description: "plain SQLite answered \(code)") }
  }
}
