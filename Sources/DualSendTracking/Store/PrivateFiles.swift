import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Files that hold events or ids: their owner alone reads them.
enum PrivateFiles {
  private static let mode: mode_t = 0o600

  /// What SQLite and the store keep beside a database, the database itself last.
  static let suffixes = ["-journal", "-wal", "-shm", ""]

  /// Makes an empty database that its owner alone reads, or takes the others' rights to the one that is there.
  ///
  /// SQLite gives the files beside a database the database's own rights. Best effort: a file of somebody else keeps its
  /// rights.
  static func secure(_ database: URL) {
    let descriptor = open(database.path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, mode)
    if descriptor >= 0 {
      close(descriptor)
      return
    }
    for suffix in suffixes { secure(path: database.path + suffix) }
  }

  static func secure(path: String) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & 0o077 != 0 { chmod(path, mode) }
  }

  /// Gives a file that root has opened to the database's owner, as SQLite does with its own: a tool that somebody runs
  /// with `sudo` must not lock the app out.
  static func giveToOwner(of database: URL, _ descriptor: Int32) {
    var status = stat()
    guard geteuid() == 0, stat(database.path, &status) == 0 else { return }
    _ = fchown(descriptor, status.st_uid, status.st_gid)
  }
}
