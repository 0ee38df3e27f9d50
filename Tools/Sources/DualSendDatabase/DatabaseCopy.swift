import DualSendTracking
import Foundation

/// Copies a database with its WAL.
enum DatabaseCopy {
  /// Offsets in the headers of a database and of its WAL (SQLite file format, sections 1.3 and 4.1).
  private static let (pageSizeOffset, pageCountOffset, logPageSizeOffset) = (16, 28, 8)

  /// - Parameter isRepaired: whether to extend the copy to the length in its header.
  /// - Returns: the copy.
  static func make(of file: URL, in folder: URL, isRepaired: Bool) throws(TrackingStoreError) -> URL {
    do { return try unchecked(file, folder, isRepaired) } catch {
      throw TrackingStoreError(kind: .inputOutput, message: error.localizedDescription)
    }
  }

  private static func unchecked(_ file: URL, _ folder: URL, _ isRepaired: Bool) throws -> URL {
    let target = folder.appendingPathComponent("copy.sqlite")
    try DatabaseUse.withReaderLocks(file) {
      // The WAL last: it grows, and SQLite ignores an incomplete transaction at its end.
      for suffix in ["", "-journal", "-wal"] { try copy(file.path + suffix, to: target.path + suffix) }
    }
    if isRepaired { try extendToFullLength(target) }
    return target
  }

  static func size(of path: String) -> Int {
    ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int) ?? 0
  }

  private static func copy(_ path: String, to target: String) throws {
    let manager = FileManager.default
    try? manager.removeItem(atPath: target)
    guard manager.fileExists(atPath: path) else { return }
    try manager.copyItem(atPath: path, toPath: target)
    try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target)
  }

  /// SQLite does not read a database that is shorter than its header says, and deletes the WAL of an empty one.
  private static func extendToFullLength(_ file: URL) throws {
    if !FileManager.default.fileExists(atPath: file.path) {
      _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    }
    let handle = try FileHandle(forUpdating: file)
    defer { try? handle.close() }
    let header = try handle.read(upToCount: 100) ?? Data()
    let length: UInt64
    if header.count == 100 {
      let size = number(header, pageSizeOffset, bytes: 2)
      length = (size == 1 ? 65_536 : size) * number(header, pageCountOffset, bytes: 4)
    } else {
      let log = try? FileHandle(forReadingFrom: URL(fileURLWithPath: file.path + "-wal"))
      length = number((try log?.read(upToCount: 32)) ?? Data(), logPageSizeOffset, bytes: 4)
      try log?.close()
    }
    // No tracker's database is that large, so the header is damaged.
    if length > (try handle.seekToEnd()), length <= 1 << 36 { try handle.truncate(atOffset: length) }
  }

  private static func number(_ bytes: Data, _ offset: Int, bytes count: Int) -> UInt64 {
    guard bytes.count >= offset + count else { return 0 }
    return bytes[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
