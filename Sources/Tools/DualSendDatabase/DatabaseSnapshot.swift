import DualSendCore
package import DualSendTracking
package import Foundation
import GRDB
import GRDBSQLite

/// A database opened for reading without changing or creating any of its files.
///
/// SQLite would write to the WAL index or create it. So a database without a WAL is opened as immutable, and any other
/// is copied while no process changes it.
final class DatabaseSnapshot {
  let queue: DatabaseQueue
  /// The folder of the copy, deleted with the snapshot.
  private let copy: PrivateFolder?

  /// In bytes. No tracker writes a value that comes near it, but the schema of a stranger's file can make gigabytes of one.
  private static let longestValue: Int32 = 64 << 20

  /// - Parameter isRepaired: whether to read a copy that is filled up with zeros to its full length.
  init(_ file: URL, isRepaired: Bool = false) throws(TrackingStoreError) {
    // SQLite keeps the other files beside the file that a link leads to.
    let file = file.resolvingSymlinksInPath()
    do {
      try RegularFiles.check(file)
      if !isRepaired {
        try DamagedDatabase.check(file)
        if !Self.hasLog(file), !DatabaseUse.hasIndex(file), let still = try? Self.open(Self.immutable(file)) {
          (queue, copy) = (still, nil)
          return
        }
      }
      let folder = try PrivateFolder()
      let target = try DatabaseCopy.make(of: file, in: folder.url, isRepaired: isRepaired)
      queue = try DatabaseQueue(path: target.path, configuration: Self.configuration)
      copy = folder
    } catch {
      throw TrackingStoreError(error)
    }
  }

  private static func hasLog(_ file: URL) -> Bool {
    ["-wal", "-journal"].contains { DatabaseCopy.size(of: file.path + $0) > 0 }
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { sqlite3_limit($0.sqliteConnection, SQLITE_LIMIT_LENGTH, longestValue) }
    return configuration
  }

  private static func open(_ path: String) throws -> DatabaseQueue {
    var configuration = configuration
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
    return queue
  }

  /// SQLite's URI for an immutable file (https://www.sqlite.org/uri.html).
  private static func immutable(_ file: URL) -> String {
    "file:" + (file.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? file.path) + "?immutable=1"
  }
}

// MARK: - Database copy

/// Copies a database with its WAL.
enum DatabaseCopy {
  /// Offsets in the headers of a database and of its WAL (SQLite file format, sections 1.3 and 4.1).
  private static let (pageSizeOffset, pageCountOffset, logPageSizeOffset) = (16, 28, 8)

  /// - Parameter isRepaired: whether to extend the copy to the length in its header.
  /// - Returns: the copy.
  static func make(of file: URL, in folder: URL, isRepaired: Bool) throws(TrackingStoreError) -> URL {
    do { return try unchecked(file, folder, isRepaired) } catch {
      throw TrackingStoreError(kind: .inputOutput, message: error.localizedDescription)
    }
  }

  private static func unchecked(_ file: URL, _ folder: URL, _ isRepaired: Bool) throws -> URL {
    let target = folder.appendingPathComponent("copy.sqlite")
    try DatabaseUse.withReaderLocks(file) {
      // The WAL last: it grows, and SQLite ignores an incomplete transaction at its end.
      for suffix in ["", "-journal", "-wal"] { try copy(file.path + suffix, to: target.path + suffix) }
    }
    if isRepaired { try extendToFullLength(target) }
    return target
  }

  static func size(of path: String) -> Int {
    ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int) ?? 0
  }

  private static func copy(_ path: String, to target: String) throws {
    let manager = FileManager.default
    try? manager.removeItem(atPath: target)
    guard manager.fileExists(atPath: path) else { return }
    // The copy of a link would be the file itself.
    let source = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    guard try source.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
      throw CocoaError(.fileReadUnknown, userInfo: [NSLocalizedDescriptionKey: "\(path) is not a regular file"])
    }
    try manager.copyItem(atPath: source.path, toPath: target)
    try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target)
  }

  /// SQLite does not read a database that is shorter than its header says, and deletes the WAL of an empty one.
  private static func extendToFullLength(_ file: URL) throws {
    if !FileManager.default.fileExists(atPath: file.path) {
      _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    }
    let handle = try FileHandle(forUpdating: file)
    defer { try? handle.close() }
    let header = try handle.read(upToCount: 100) ?? Data()
    let length: Int
    if header.count == 100 {
      let size = BigEndian.number(header, pageSizeOffset, bytes: 2)
      length = (size == 1 ? 65_536 : size) * BigEndian.number(header, pageCountOffset, bytes: 4)
    } else {
      let log = try? FileHandle(forReadingFrom: URL(fileURLWithPath: file.path + "-wal"))
      length = BigEndian.number((try log?.read(upToCount: 32)) ?? Data(), logPageSizeOffset, bytes: 4)
      try log?.close()
    }
    // No tracker's database is that large, so the header is damaged.
    if length > (try handle.seekToEnd()), length <= 1 << 36 { try handle.truncate(atOffset: UInt64(length)) }
  }
}

// MARK: - Database use

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads a database's files while other processes use it, with the locks of a reader only.
enum DatabaseUse {
  /// The lock bytes in the WAL index that a connection needs to checkpoint or restart the WAL (`WAL_CKPT_LOCK` and
  /// `WAL_READ_LOCK(1)` in SQLite's wal.c, at `UNIX_SHM_BASE` in os_unix.c).
  private static let lockedBytes: [off_t] = [121, 124]

  /// Runs `body` while no process changes the database file or overwrites its WAL.
  static func withReaderLocks<Value>(_ file: URL, _ body: () throws -> Value) rethrows -> Value {
    let descriptor = open(index(of: file), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return try body() }
    // Closing releases the locks.
    defer { close(descriptor) }
    for byte in lockedBytes {
      var lock = flock()
      lock.l_type = Int16(F_RDLCK)
      lock.l_whence = Int16(SEEK_SET)
      lock.l_start = byte
      lock.l_len = 1
      while fcntl(descriptor, F_SETLKW, &lock) == -1, errno == EINTR {}
    }
    return try body()
  }

  /// Whether a process has the database open, or was killed while it had.
  static func hasIndex(_ file: URL) -> Bool {
    FileManager.default.fileExists(atPath: index(of: file))
  }

  private static func index(of file: URL) -> String { file.path + "-shm" }
}

// MARK: - Stored dead letters

/// Reads the dead letters of a database without changing it, for `dualsend db letters`.
package enum StoredDeadLetters {
  /// The dead letters, oldest first.
  package static func read(_ file: URL) throws(TrackingStoreError) -> [DeadLetter] {
    let snapshot = try DatabaseSnapshot(file)
    do {
      return try snapshot.queue.read { db in
        try StoreInspection.checkTables(db)
        let rows = try Row.fetchCursor(
          db, sql: "SELECT id, time, name, attempts, reason, body FROM deadLetter ORDER BY number")
        var letters: [DeadLetter] = []
        while let row = try rows.next() {
          guard let id = EventID(stored: try row.decode(Data.self, atIndex: 0)) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row does not match its table")
          }
          let event = TrackingData(
            id: id, time: try row.decode(atIndex: 1), name: try row.decode(atIndex: 2),
            body: Array(try row.decode(Data.self, atIndex: 5)), attempts: try row.decode(atIndex: 3))
          letters.append(DeadLetter(event: event, reason: try row.decode(atIndex: 4)))
        }
        return letters
      }
    } catch {
      throw TrackingStoreError(error)
    }
  }
}
