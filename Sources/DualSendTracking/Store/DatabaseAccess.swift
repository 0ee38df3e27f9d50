import DualSendCore
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Restricts the files of a database to their owner.
enum DatabaseAccess {
  private static let mode: mode_t = 0o600

  /// The suffixes of a database's files, the database itself last.
  static let suffixes = ["-journal", "-wal", "-shm", ""]

  /// Creates an empty database that only its owner can read, or removes other users' permissions from an existing one.
  ///
  /// SQLite gives the other files the database's permissions. Best effort: a file of another user keeps its
  /// permissions.
  static func secure(_ database: URL) {
    if (try? PrivateFile.create(database.path)) != nil { return }
    for suffix in suffixes { secure(path: database.path + suffix) }
  }

  static func secure(path: String) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & 0o077 != 0 { chmod(path, mode) }
  }

  /// Gives a file that root created to the database's owner, as SQLite does, so that a tool run with `sudo` does not
  /// lock the app out.
  static func giveToOwner(of database: URL, _ descriptor: Int32) {
    var status = stat()
    guard geteuid() == 0, stat(database.path, &status) == 0 else { return }
    _ = fchown(descriptor, status.st_uid, status.st_gid)
  }
}
