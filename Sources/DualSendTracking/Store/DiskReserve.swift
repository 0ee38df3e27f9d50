import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Space that is kept for the store's own work on a disk without a free block: a file beside the database.
///
/// There SQLite can neither delete a row, which its log has to say first, nor empty the log, for which the database has
/// to grow. The file is given back when that is needed, and made again from what the emptied log leaves. It is as large
/// as the log can become (``SQLiteTrackingDataStore/logPages`` and one transaction), or as half of what is free.
struct DiskReserve: Sendable {
  /// In bytes.
  static let fullSize = 2 << 20
  private static let chunk = 64 << 10

  let file: URL
  private let database: URL

  init(of database: URL) {
    self.database = database
    file = URL(fileURLWithPath: database.path + "-reserve")
  }

  /// Whether the file has its full size.
  var isWhole: Bool { size >= Self.fullSize }

  /// In bytes; 0 if there is no file.
  var size: Int { FileSize.of(file) }

  /// What can be written to the file's disk beside it, in bytes; 0 if the system does not say.
  var freeBytes: Int {
    var disk = statvfs()
    guard statvfs(database.deletingLastPathComponent().path, &disk) == 0 else { return 0 }
    return Int(clamping: UInt64(disk.f_bavail).multipliedReportingOverflow(by: UInt64(disk.f_frsize)).partialValue)
  }

  /// Gives the space back.
  func release() {
    unlink(file.path)
  }

  /// Takes the space, as far as there is any: half of what is free, or as much as was given back just now.
  ///
  /// - Parameter previous: what was given back, in bytes.
  func restore(atLeast previous: Int = 0) {
    let size = size
    let available = size + freeBytes
    // Rounded up: the reserve must not be smaller than what is left free.
    let half = (available / 2 + Self.chunk - 1) / Self.chunk * Self.chunk
    let goal = min(Self.fullSize, available, max(half, previous))
    guard size + Self.chunk <= goal else { return }
    let descriptor = open(file.path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    PrivateFiles.giveToOwner(of: database, descriptor)
    // A file system that compresses, or that leaves zeros out, would keep no space for a file of zeros.
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
  static func of(_ file: URL) -> Int {
    var status = stat()
    return stat(file.path, &status) == 0 ? Int(status.st_size) : 0
  }
}
