import Foundation

/// A database that SQLite refuses. It is moved, never deleted: people may still salvage rows from it.
enum DamagedDatabase {
  /// Moves the database and the files that belong to it, so that none of them meets the fresh one.
  ///
  /// The new name is `<name>.damaged-<n>` with the first free number. Returns that number: how many there are now.
  static func setAside(_ file: URL) throws(TrackingStoreError) -> Int {
    let manager = FileManager.default
    let number = (1...).first { !manager.fileExists(atPath: name(file, $0, "")) } ?? 1
    do {
      for suffix in ["-wal", "-shm", ""] where manager.fileExists(atPath: file.path + suffix) {
        try manager.moveItem(atPath: file.path + suffix, toPath: name(file, number, suffix))
      }
      return number
    } catch {
      throw TrackingStoreError(kind: .inputOutput, message: error.localizedDescription)
    }
  }

  /// The suffix stays last: SQLite finds the WAL of the moved database by it.
  private static func name(_ file: URL, _ number: Int, _ suffix: String) -> String {
    file.path + ".damaged-\(number)" + suffix
  }
}
