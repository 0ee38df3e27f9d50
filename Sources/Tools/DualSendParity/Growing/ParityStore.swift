import DualSendCommandLine
import DualSendCore
import Foundation
import GRDB

/// What a comparison of growing files keeps from one call to the next: a SQLite database.
///
/// It has the key of each event. The lines of an event are kept while they may still be needed: of an event that only one
/// stream has, and of one that is newer than the period. A unit takes about 45 bytes for each event name. All of it can be
/// made again from the streams.
package struct ParityStore: Sendable {
  /// Identifies the tables; see `PRAGMA user_version`.
  private static let version: Int32 = 1

  /// Events are in the order of their hashes, so that those of one call are all over the file.
  private static let cacheBytes = 64 << 20

  private let queue: DatabaseQueue

  /// - Parameters:
  ///   - path: created if missing, for its owner only.
  ///   - isCopied: works on a copy, so that the file stays as it is.
  /// - Throws: ``ParityError`` if the file is no such store, or cannot be read.
  package init(path: String, isCopied: Bool) throws(ParityError) {
    do {
      if isCopied {
        // An empty path is a temporary database.
        queue = try DatabaseQueue(path: "")
        if FileManager.default.fileExists(atPath: path) {
          var configuration = Configuration()
          configuration.readonly = true
          try DatabaseQueue(path: path, configuration: configuration).backup(to: queue)
        }
      } else {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ParityError(reason: "cannot write \(path)") }
        close(descriptor)
        queue = try DatabaseQueue(path: path)
      }
      try queue.inDatabase { try $0.execute(sql: "PRAGMA cache_size = -\(Self.cacheBytes / 1024)") }
      try queue.write { try Self.createTables($0) }
    } catch let error as ParityError {
      throw error
    } catch let error as DatabaseError where [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode) {
      throw Self.foreign(path)
    } catch {
      throw ParityError(reason: "\(path): \(error.localizedDescription)")
    }
  }

  private static func foreign(_ path: String) -> ParityError {
    ParityError(reason: "\(path) is damaged or something else; move it away, and all lines are read again")
  }

  /// Everything is kept, or nothing if `body` throws.
  func update<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try queue.write(body)
  }

  private static func createTables(_ db: Database) throws {
    let version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    guard version != Self.version else { return }
    let tables = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM sqlite_master") ?? 0
    guard version == 0, tables == 0 else { throw DatabaseError(resultCode: .SQLITE_NOTADB) }
    try db.execute(
      sql: """
        CREATE TABLE event(
          key BLOB PRIMARY KEY, time INTEGER, isCounted INTEGER NOT NULL, old INTEGER, new INTEGER, oldLine BLOB,
          newLine BLOB) WITHOUT ROWID;
        CREATE INDEX waiting ON event(time) WHERE NOT isCounted;
        CREATE TABLE repeated(time INTEGER, side INTEGER, isOther INTEGER, line BLOB);
        CREATE INDEX waitingRepeats ON repeated(time);
        CREATE TABLE unit(
          unit INTEGER, event BLOB, since INTEGER, outcome INTEGER, PRIMARY KEY (unit, event)) WITHOUT ROWID;
        CREATE TABLE unpaired(
          unit INTEGER, event BLOB, since INTEGER, outcome INTEGER, key INTEGER,
          PRIMARY KEY (key, unit, event)) WITHOUT ROWID;
        CREATE TABLE memory(text TEXT NOT NULL);
        PRAGMA user_version = \(Self.version);
        """)
  }
}

// MARK: - Memory

extension ParityStore {
  /// The counts so far, and what they are of.
  struct Memory {
    let comparison: String
    /// The time of the counted events, in milliseconds since 1970-01-01T00:00:00Z.
    var period: ClosedRange<Int64>
    /// Has no units; see ``withoutUnit`` and the tables of units.
    var report: ParityReport
    /// The number of events without a unit, by name.
    var withoutUnit: [String: Int] = [:]
    var cursors: [StreamCursor] = []

    init(comparison: String, period: ClosedRange<Int64>, report: ParityReport) {
      (self.comparison, self.period, self.report) = (comparison, period, report)
    }

    /// - Returns: `nil` in a new store.
    init?(_ db: Database) throws {
      guard let text = try String.fetchOne(db, sql: "SELECT text FROM memory") else { return nil }
      do {
        self = try Memory(PartialReader(value: try JSONReader(maximumBytes: 1 << 30).value(Array(text.utf8))))
      } catch {
        throw DatabaseError(resultCode: .SQLITE_CORRUPT)
      }
    }

    func keep(_ db: Database) throws {
      try db.execute(sql: "DELETE FROM memory")
      try db.execute(sql: "INSERT INTO memory VALUES (?)", arguments: [json.canonicalText])
    }
  }
}

extension ParityStore.Memory {
  fileprivate var json: EventValue {
    let partial = PartialParity(comparison: comparison, shards: [], count: 0, report: report, baseline: nil)
    return [
      "from": .int(period.lowerBound), "to": .int(period.upperBound), "report": partial.json,
      "streams": .array([report.old, report.new].map(\.kept)),
      "withoutUnit": .object(withoutUnit.mapValues { .int(Int64($0)) }),
      "cursors": .array(cursors.map(\.json)),
    ]
  }

  fileprivate init(_ memory: PartialReader) throws {
    let (from, to) = (try memory.member("from").integer(), try memory.member("to").integer())
    guard from <= to, case .object(let withoutUnit) = try memory.member("withoutUnit").value else {
      throw PartialReader.Damage()
    }
    let partial = try PartialParity(memory.member("report").value.canonicalJSON)
    self.init(comparison: partial.comparison, period: from...to, report: partial.report)
    let streams = try memory.member("streams").list(of: 2)
    try report.old.take(streams[0])
    try report.new.take(streams[1])
    self.withoutUnit = try withoutUnit.mapValues { Int(try PartialReader(value: $0).integer()) }
    cursors = try memory.member("cursors").list().map { try StreamCursor($0) }
  }
}

extension ParityReport.Stream {
  /// What a report's JSON does not have.
  fileprivate var kept: EventValue {
    [
      "newest": newest.map { .int($0) } ?? .null, "otherUnit": otherUnit.map { .string($0.rawValue) } ?? .null,
      "unreadableDecisions": .int(Int64(unreadableDecisions)),
      "firstUnreadableDecision": firstUnreadableDecision.map { .int(Int64($0)) } ?? .null,
    ]
  }

  fileprivate mutating func take(_ kept: PartialReader) throws {
    newest = try? kept.member("newest").integer()
    otherUnit = try? ParityReport.TimeUnit(rawValue: kept.member("otherUnit").text())
    unreadableDecisions = Int(try kept.member("unreadableDecisions").integer())
    firstUnreadableDecision = try? Int(kept.member("firstUnreadableDecision").integer())
  }
}
