package import Foundation

/// Files that only their owner may read, from the moment at which they are created.
package enum PrivateFile {
  /// Creates a file and opens it for reading and writing.
  ///
  /// - Throws: `POSIXError`, with `.EEXIST` if the file exists, also as a link to nothing.
  package static func create(_ path: String) throws -> FileHandle {
    try opened(path, O_RDWR | O_CREAT | O_EXCL)
  }

  /// Creates a file with this content, on disk when it returns. Leaves no file if that fails.
  ///
  /// - Throws: as ``create(_:)``, or what a write throws.
  package static func create(_ path: String, with bytes: [UInt8]) throws {
    let handle = try create(path)
    do { try write(bytes, to: handle) } catch {
      unlink(path)
      throw error
    }
  }

  /// Follows no link, and waits for no reader of a pipe.
  private static func opened(_ path: String, _ flags: Int32) throws -> FileHandle {
    let descriptor = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  private static func write(_ bytes: [UInt8], to handle: FileHandle) throws {
    try handle.write(contentsOf: Data(bytes))
    try handle.truncate(atOffset: UInt64(bytes.count))
    try handle.synchronize()
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
  /// and a denial are kept; a crash meanwhile leaves a part of the bytes. Returns when the bytes and the folder are on disk.
  package static func replace(_ file: URL, with bytes: [UInt8]) throws {
    do { try replaceWhole(file, with: bytes) } catch {
      do { try write(bytes, to: opened(file.path, O_WRONLY)) } catch _ { throw error }
    }
  }

  private static func replaceWhole(_ file: URL, with bytes: [UInt8]) throws {
    let folder = file.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let new = "\(file.path).new-\(UUID())"
    try create(new, with: bytes)
    do {
      #if canImport(Darwin) && !os(macOS)
        // An app may have a stricter class by default, with which a launch in the background of a locked device reads nothing.
        try FileManager.default.setAttributes(
          [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: new)
      #endif
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
