import Foundation
import GRDB

/// Recognises a tracker's database, before anything is written to a file.
package enum DatabaseIdentity {
  /// The `application_id` in the header of a tracker's database: `DSnd`.
  package static let applicationID: Int32 = 0x4453_6E64

  private static let applicationIDOffset = 68

  /// The properties of a database that ``isTrackers(_:)`` checks.
  package struct Features: Sendable {
    let applicationID: Int32
    let tables: Set<String>
    let hasMigrations: Bool
    let sampleColumns: Set<String>

    /// - Parameters:
    ///   - number: runs a query that returns one number.
    ///   - texts: runs a query that returns one column of texts.
    package init(number: (String) throws -> Int32?, texts: (String) throws -> [String]) rethrows {
      applicationID = try number("PRAGMA application_id") ?? 0
      tables = Set(try texts("SELECT name FROM sqlite_master WHERE type = 'table'"))
      hasMigrations =
        tables.contains("grdb_migrations") ? !(try texts("SELECT identifier FROM grdb_migrations")).isEmpty : false
      sampleColumns = Set(try texts("SELECT name FROM pragma_table_info('Tracking')"))
    }
  }

  /// Whether a database is a tracker's, empty, or a sample tracker's.
  package static func isTrackers(_ features: Features) -> Bool {
    if features.applicationID == applicationID { return true }
    let own = features.tables.filter { !$0.hasPrefix("sqlite_") && !$0.hasPrefix("grdb_") }
    // Damage may have changed the application id.
    if own.isSuperset(of: StoreFormat.tables) { return true }
    guard features.applicationID == 0 else { return false }
    // A database whose creation was interrupted has only the migration tables.
    return own.isEmpty && !features.hasMigrations || features.sampleColumns == SampleTrackerTable.columns
  }

  /// The error for another program's database.
  package static let foreign = TrackingStoreError(
    kind: .other, message: "the file is another program's database; nothing was changed")

  /// Refuses a folder, a special file and another program's database.
  ///
  /// A missing file, an empty file and a file that is not a database pass: other checks handle those.
  static func check(_ file: URL) throws(TrackingStoreError) {
    try RegularFiles.check(file)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) else { return }
    if isFolder.boolValue { throw TrackingStoreError(kind: .inputOutput, message: "it is a folder") }
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

  /// Queries the database, because its WAL may be newer than its header.
  private static func isTrackersBySchema(_ file: URL) throws -> Bool {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    return try DatabaseQueue(path: file.path, configuration: configuration).read { db in
      isTrackers(
        try Features(
          number: { try Int32.fetchOne(db, sql: $0) }, texts: { try String.fetchAll(db, sql: $0) }))
    }
  }
}
