package import Foundation
import GRDB

/// Handles a database that SQLite refuses. The file is moved, never deleted, because rows may still be recovered from
/// it.
package enum DamagedDatabase {
  /// The first bytes of every SQLite database (SQLite file format, section 1.3.1).
  private static let magic = Array("SQLite format 3\0".utf8)
  /// The part of the header that shows whether SQLite can read and write the file.
  private static let headerLength = 48

  /// Refuses files for which SQLite would delete the WAL next to them: a file that is not a database, an empty file,
  /// and a missing file.
  package static func check(_ file: URL) throws(TrackingStoreError) {
    let start = start(of: file.path)
    if start == nil, FileManager.default.fileExists(atPath: file.path) { return }
    let log = FileSize.of(URL(fileURLWithPath: file.path + "-wal"))
    // An empty file without a WAL is a new database. SQLite writes the file before the WAL.
    switch start {
    case nil: if log > 0 { throw TrackingStoreError(kind: .damaged, message: "the file is gone, but not its log") }
    case []: if log > 0 { throw TrackingStoreError(kind: .damaged, message: "the file is empty, but not its log") }
    case let start?:
      if !isHeader(start) {
        throw TrackingStoreError(kind: .damaged, message: "the file does not have a database header")
      }
    }
  }

  /// Whether SQLite would accept the file as a database.
  static func startsLikeDatabase(_ file: URL) -> Bool {
    start(of: file.path).map(isHeader) ?? false
  }

  /// SQLite opens files with newer version numbers read-only or not at all.
  private static func isHeader(_ bytes: [UInt8]) -> Bool {
    bytes.count == headerLength && bytes.starts(with: magic) && (1...2).contains(bytes[18])
      && (1...2).contains(bytes[19]) && bytes[44...46].allSatisfy { $0 == 0 } && bytes[47] <= 4
  }

  /// The header, or as much of it as exists; `nil` if the file cannot be read.
  private static func start(of path: String) -> [UInt8]? {
    guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: headerLength) ?? Data()).map { Array($0) }
  }

  /// Moves the database with its files, so that none of them affects the new one.
  ///
  /// The new name is `<name>.damaged-<n>`, with the first free number.
  static func setAside(_ file: URL) throws(TrackingStoreError) {
    let manager = FileManager.default
    let number = count(of: file) + 1
    do {
      for suffix in DatabaseAccess.suffixes where manager.fileExists(atPath: file.path + suffix) {
        try manager.moveItem(atPath: file.path + suffix, toPath: name(file, number, suffix))
        DatabaseAccess.secure(path: name(file, number, suffix))
      }
    } catch {
      throw TrackingStoreError(kind: .inputOutput, message: error.localizedDescription)
    }
  }

  /// Copies the database with its WAL, where SQLite would ignore a part of that.
  ///
  /// The new names are those of ``setAside(_:)``.
  static func copyAside(_ file: URL) throws(TrackingStoreError) {
    let manager = FileManager.default
    let number = count(of: file) + 1
    // The copy of a link would be the database itself, and SQLite keeps the WAL beside that.
    let source = file.resolvingSymlinksInPath().path
    do {
      // The WAL last: a copy without it would be sound.
      for suffix in ["", "-wal"] where manager.fileExists(atPath: source + suffix) {
        try manager.copyItem(atPath: source + suffix, toPath: name(file, number, suffix))
        DatabaseAccess.secure(path: name(file, number, suffix))
      }
    } catch {
      for suffix in ["", "-wal"] { try? manager.removeItem(atPath: name(file, number, suffix)) }
      let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
      throw TrackingStoreError(kind: isFull ? .full : .inputOutput, message: error.localizedDescription)
    }
  }

  /// How many databases of this name were set aside, including those of which only the WAL is left.
  static func count(of file: URL) -> Int {
    let isFree = { number in
      DatabaseAccess.suffixes.allSatisfy { !FileManager.default.fileExists(atPath: name(file, number, $0)) }
    }
    return (1...).first(where: isFree).map { $0 - 1 } ?? 0
  }

  package static func setAside(beside file: URL) -> [URL] {
    (0..<count(of: file)).map { URL(fileURLWithPath: name(file, $0 + 1, "")) }
  }

  /// The suffix stays last, so that SQLite finds the WAL of the moved database.
  private static func name(_ file: URL, _ number: Int, _ suffix: String) -> String {
    file.path + ".damaged-\(number)" + suffix
  }
}

extension SQLiteTrackingDataStore {
  /// Opens the database. Sets a damaged one aside first, and a copy of one whose log is damaged.
  static func openOrReplace(
    _ file: URL, quota: TrackerConfiguration.Quota, time: TimeSource, ownership: StoreOwnership?,
    destination: StoreDestination?
  ) throws(TrackingStoreError) -> SQLiteTrackingDataStore {
    do {
      let hasDamagedLog = DamagedDatabase.startsLikeDatabase(file) && WriteAheadLog.isDamaged(of: file)
      if hasDamagedLog { try DamagedDatabase.copyAside(file) }
      let store = try SQLiteTrackingDataStore(
        file: file, quota: quota, time: time, ownership: ownership, destination: destination)
      try store.countDatabasesSetAside(of: file)
      return store
    } catch  where error.kind == .damaged {
      try DamagedDatabase.setAside(file)
      let store = try SQLiteTrackingDataStore(
        file: file, quota: quota, time: time, ownership: ownership, destination: destination)
      try store.countDatabasesSetAside(of: file)
      return store
    }
  }

  /// Closes this store, sets its file aside, and opens a new one. In memory, opens a new one.
  func replacement() throws(TrackingStoreError) -> SQLiteTrackingDataStore {
    closeUnchanged()
    guard let file else { return try SQLiteTrackingDataStore(inMemoryWithQuota: quota, time: time) }
    try DamagedDatabase.setAside(file)
    let store = try SQLiteTrackingDataStore.openOrReplace(
      file, quota: quota, time: time, ownership: ownership, destination: destination)
    store.noteDestination()
    return store
  }

  /// Counts the databases set aside that the ledger does not include yet, such as one set aside just before a crash.
  private func countDatabasesSetAside(of file: URL) throws(TrackingStoreError) {
    let unknown = DamagedDatabase.count(of: file) - (try ledger().databasesSetAside)
    guard unknown > 0 else { return }
    try write { try $0.add(unknown, to: LedgerCounter.databasesSetAside) }
    hasSetAside.withLock { $0 = true }
  }
}
