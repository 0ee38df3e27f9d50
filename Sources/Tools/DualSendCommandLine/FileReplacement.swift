import Foundation

/// The new content of a file, in a temporary file beside it. Several files can be prepared before the first is replaced.
package struct FileReplacement {
  private let path: String
  private let file: URL
  private let part: URL

  /// Writes the content. The file stays unchanged until ``commit()``.
  ///
  /// Follows a symbolic link. Keeps the permissions of an existing file, and its owner if permitted.
  ///
  /// - Throws: ``CommandError`` if the content cannot be written, or the file must not be; nothing is left then.
  package init(_ path: String, with bytes: [UInt8]) throws {
    self.path = path
    file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    part = file.deletingLastPathComponent().appendingPathComponent(".dualsend-\(UUID())")
    let descriptor = open(part.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw error(errno) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      var info = stat()
      if stat(file.path, &info) == 0 {
        guard access(file.path, W_OK) == 0 else { throw error(errno) }
        _ = fchown(descriptor, info.st_uid, info.st_gid)
        guard fchmod(descriptor, info.st_mode & 0o7777) == 0 else { throw error(errno) }
      }
      try handle.write(contentsOf: bytes)
      try handle.synchronize()
    } catch {
      discard()
      throw error is CommandError ? error : self.error(error.localizedDescription)
    }
  }

  /// Replaces the file, atomically and durably.
  package func commit() throws {
    guard rename(part.path, file.path) == 0 else {
      let error = error(errno)
      discard()
      throw error
    }
    // Without its folder's entries on disk, a crash would undo the replacement. Some file systems cannot write them; then
    // the order of writes is up to them.
    let folder = open(file.deletingLastPathComponent().path, O_RDONLY)
    guard folder >= 0 else { return }
    _ = fsync(folder)
    close(folder)
  }

  /// Removes the temporary file.
  package func discard() {
    unlink(part.path)
  }

  private func error(_ number: Int32) -> CommandError { error(String(cString: strerror(number))) }

  private func error(_ reason: String) -> CommandError {
    CommandError("cannot write \(path): \(reason)", help: "check the path, its permissions and the space on the disk")
  }
}
