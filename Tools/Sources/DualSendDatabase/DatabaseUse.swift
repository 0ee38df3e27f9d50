import Foundation

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
