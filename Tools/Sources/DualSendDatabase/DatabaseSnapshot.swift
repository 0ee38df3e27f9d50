import DualSendTracking
import Foundation
import GRDB

/// A database opened for reading, so that neither its bytes nor those of the files beside it change, and no file is made.
///
/// SQLite alone would write to the index of the log, or make one. So a database without a log is read as one that never
/// changes, and every other from a copy, which is made while no process changes what is copied.
final class DatabaseSnapshot {
  let queue: DatabaseQueue
  /// Where the copy is; gone with the snapshot.
  private let copy: PrivateFolder?

  /// - Parameter isRepaired: whether to read a copy in which what is missing at the end, or all of a database whose log
  ///   is left, is filled up with zeros.
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

  /// SQLite's name for a file that nobody changes (https://www.sqlite.org/uri.html).
  private static func immutable(_ file: URL) -> String {
    "file:" + (file.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? file.path) + "?immutable=1"
  }
}
