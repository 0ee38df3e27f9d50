import DualSendTracking
import Foundation
import GRDB

/// A database opened for reading without changing or creating any of its files.
///
/// SQLite would write to the WAL index or create it. So a database without a WAL is opened as immutable, and any other
/// is copied while no process changes it.
final class DatabaseSnapshot {
  let queue: DatabaseQueue
  /// The folder of the copy, deleted with the snapshot.
  private let copy: PrivateFolder?

  /// - Parameter isRepaired: whether to read a copy that is filled up with zeros to its full length.
  init(_ file: URL, isRepaired: Bool = false) throws(TrackingStoreError) {
    do {
      try StoreFormat.checkFiles(file)
      if !isRepaired {
        try StoreFormat.check(file)
        if !Self.hasLog(file), !DatabaseUse.hasIndex(file), let still = try? Self.open(Self.immutable(file)) {
          (queue, copy) = (still, nil)
          return
        }
      }
      let folder = try PrivateFolder()
      let target = try DatabaseCopy.make(of: file, in: folder.url, isRepaired: isRepaired)
      queue = try DatabaseQueue(path: target.path, configuration: Configuration())
      copy = folder
    } catch {
      throw StoreFormat.error(error)
    }
  }

  private static func hasLog(_ file: URL) -> Bool {
    ["-wal", "-journal"].contains { DatabaseCopy.size(of: file.path + $0) > 0 }
  }

  private static func open(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
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
