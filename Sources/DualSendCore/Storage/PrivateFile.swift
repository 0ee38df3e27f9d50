package import Foundation

/// Files that only their owner may read, from the moment at which they are created.
package enum PrivateFile {
  /// Creates a file and opens it for reading and writing.
  ///
  /// - Throws: `POSIXError`, with `.EEXIST` if the file exists, also as a link to nothing.
  package static func create(_ path: String) throws -> FileHandle {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Opens a file for reading and writing. Creates it and its folder if there is none.
  package static func openOrCreate(_ file: URL) throws -> FileHandle {
    if FileManager.default.fileExists(atPath: file.path) { return try FileHandle(forUpdating: file) }
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    return try create(file.path)
  }

  /// Replaces a file's content: a reader, even after a crash, finds the old bytes or the new ones. Creates its folder.
  ///
  /// A full disk has no room for a second file, but the old one has its blocks: then it is written over, so that a kill, a sign-out
  /// and a denial are kept. Returns when the bytes and the folder are on disk.
  package static func replace(_ file: URL, with bytes: [UInt8]) throws {
    do { try replaceWhole(file, with: bytes) } catch {
      guard let handle = try? FileHandle(forWritingTo: file) else { throw error }
      do {
        try handle.write(contentsOf: Data(bytes))
        try handle.truncate(atOffset: UInt64(bytes.count))
        try handle.synchronize()
      } catch _ { throw error }
    }
  }

  private static func replaceWhole(_ file: URL, with bytes: [UInt8]) throws {
    let folder = file.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let new = "\(file.path).new-\(UUID())"
    let handle = try create(new)
    do {
      #if canImport(Darwin) && !os(macOS)
        // An app may have a stricter class by default, with which a launch in the background of a locked device reads nothing.
        try FileManager.default.setAttributes(
          [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: new)
      #endif
      try handle.write(contentsOf: Data(bytes))
      try handle.synchronize()
      guard rename(new, file.path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    } catch {
      unlink(new)
      throw error
    }
    let place = open(folder.path, O_RDONLY | O_CLOEXEC)
    guard place >= 0 else { return }
    fsync(place)
    close(place)
  }
}
