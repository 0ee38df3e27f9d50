package import ArgumentParser
package import Foundation

/// Opens files that a verb appends to. Errors name the file and suggest a fix.
package enum OutputFile {
  package static func opened(_ path: String) throws -> JSONLinesFile {
    do { return try JSONLinesFile(appendingTo: URL(fileURLWithPath: path)) } catch {
      throw CommandError(
        "cannot write \(path): \(error.localizedDescription)",
        help: "name a file in a folder that can be written, on a disk with space")
    }
  }
}

extension NameSpecification {
  /// `--output` and `-o`, for the file or folder that a verb writes.
  package static let output: NameSpecification = [.customLong("output"), .customShort("o")]
}

// MARK: - Locked file

/// Locks between processes that change the same file.
package enum LockedFile {
  /// Another process has the lock.
  package struct Busy: Error {}

  /// Opens a file for reading and appending, creating it if needed, with an exclusive lock that ends with the handle.
  ///
  /// - Parameter waits: whether to wait for another process.
  /// - Throws: ``Busy`` if another process has the lock and `waits` is `false`; a POSIX error if it is no regular file or
  ///   cannot be opened.
  package static func lock(_ path: String, waits: Bool) throws -> FileHandle {
    while true {
      let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o644)
      guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      var (own, current) = (stat(), stat())
      guard fstat(descriptor, &own) == 0, own.st_mode & S_IFMT == S_IFREG else { throw POSIXError(.EINVAL) }
      guard flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) == 0 else {
        if errno == EINTR { continue }
        throw errno == EWOULDBLOCK ? Busy() : POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
      // Git, and a command that writes the file as a whole, replace it instead of writing to it.
      if stat(path, &current) == 0, own.st_ino == current.st_ino, own.st_dev == current.st_dev { return handle }
    }
  }
}
