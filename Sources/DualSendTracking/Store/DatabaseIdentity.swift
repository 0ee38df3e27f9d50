import Foundation
import GRDB

/// Tells a tracker's database from every other SQLite file before anything is written to it or beside it.
@_spi(Tools) public enum DatabaseIdentity {
  /// What stands in the header of a tracker's database, where SQLite keeps a number for this purpose: `DSnd`.
  public static let applicationID: Int32 = 0x4453_6E64

  private static let applicationIDOffset = 68
  /// Databases from before the number have its place empty.
  private static let none: Int32 = 0

  /// Whether a database with this number and these tables is a tracker's, an empty one, or a sample tracker's.
  ///
  /// - Parameters:
  ///   - tables: the names of all tables.
  ///   - sampleColumns: the columns of the table `Tracking`; none if there is no such table.
  public static func isTrackers(applicationID: Int32, tables: Set<String>, sampleColumns: Set<String>) -> Bool {
    if applicationID != none { return applicationID == Self.applicationID }
    let own = tables.filter { !$0.hasPrefix("sqlite_") && !$0.hasPrefix("grdb_") }
    return own.isEmpty || !own.isDisjoint(with: StoreFormat.tables) && tables.contains("grdb_migrations")
      || own.isSuperset(of: StoreFormat.tables) || sampleColumns == SampleTrackerTable.columns
  }

  /// What ``check(_:)`` says of another program's database.
  public static let foreign = TrackingStoreError(
    kind: .other, message: "the file is another program's database; nothing was changed")

  /// Refuses a folder and another program's database.
  ///
  /// A file that is missing, empty or no database at all passes: others decide about those.
  static func check(_ file: URL) throws(TrackingStoreError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) else { return }
    if isFolder.boolValue { throw TrackingStoreError(kind: .inputOutput, message: "there is a folder in its place") }
    guard DamagedDatabase.startsLikeDatabase(file), applicationID(inHeaderOf: file) != applicationID else { return }
    if let isTrackers = try? isTrackersBySchema(file), !isTrackers { throw foreign }
  }

  private static func applicationID(inHeaderOf file: URL) -> Int32? {
    guard let handle = FileHandle(forReadingAtPath: file.path) else { return nil }
    defer { try? handle.close() }
    guard (try? handle.seek(toOffset: UInt64(applicationIDOffset))) != nil, let bytes = try? handle.read(upToCount: 4),
      bytes.count == 4
    else { return nil }
    return bytes.reduce(0) { $0 << 8 | Int32($1) }
  }

  /// Asks the database itself: its log may know more than its header.
  private static func isTrackersBySchema(_ file: URL) throws -> Bool {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    return try DatabaseQueue(path: file.path, configuration: configuration).read { db in
      isTrackers(
        applicationID: try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? none,
        tables: Set(try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")),
        sampleColumns: Set(try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('Tracking')")))
    }
  }
}
