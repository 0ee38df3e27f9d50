import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file next to the database that reserves disk space for the store's own work when the disk is full.
///
/// On a full disk, SQLite can neither delete a row, which needs the WAL, nor checkpoint the WAL, which may need to grow
/// the database. The file is deleted when the space is needed and created again afterwards. Its size is the largest
/// size of the WAL (``SQLiteTrackingDataStore/logBytes`` and one transaction), or half of the free space.
struct DiskReserve: Sendable {
  /// In bytes.
  static let fullSize: Int64 = 2 << 20
  private static let chunk: Int64 = 64 << 10

  let file: URL
  let database: URL

  init(of database: URL) {
    self.database = database
    file = URL(fileURLWithPath: database.path + "-reserve")
  }

  /// Whether the file has its full size.
  var isWhole: Bool { size >= Self.fullSize }

  /// In bytes; 0 if there is no file.
  var size: Int64 { FileSize.of(file) }

  /// The free space on the file's volume, in bytes; 0 if unknown.
  var freeBytes: Int64 {
    var disk = statvfs()
    guard statvfs(database.deletingLastPathComponent().path, &disk) == 0 else { return 0 }
    return Int64(clamping: UInt64(disk.f_bavail).multipliedReportingOverflow(by: UInt64(disk.f_frsize)).partialValue)
  }

  /// Frees the space.
  func release() {
    unlink(file.path)
  }

  /// Reserves the space again, as far as possible: half of the free space, or as much as was released just now.
  ///
  /// - Parameter previous: the released bytes.
  func restore(atLeast previous: Int64 = 0) {
    let size = size
    let available = size + freeBytes
    // Rounded up, so that the reserve is not smaller than the rest of the free space.
    let half = (available / 2 + Self.chunk - 1) / Self.chunk * Self.chunk
    let goal = min(Self.fullSize, available, max(half, previous))
    guard size + Self.chunk <= goal else { return }
    let descriptor = open(file.path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    DatabaseAccess.giveToOwner(of: database, descriptor)
    // Random bytes, because a file system may compress zeros or store them sparsely.
    var generator = SystemRandomNumberGenerator()
    let noise = (0..<Self.chunk / 8).map { _ in generator.next() }
    noise.withUnsafeBytes { noise in
      for _ in 0..<(goal - size) / Self.chunk where write(descriptor, noise.baseAddress, noise.count) < noise.count {
        break
      }
    }
  }
}

enum FileSize {
  /// In bytes; 0 if there is no such file.
  static func of(_ file: URL) -> Int64 {
    var status = stat()
    return stat(file.path, &status) == 0 ? Int64(status.st_size) : 0
  }
}
