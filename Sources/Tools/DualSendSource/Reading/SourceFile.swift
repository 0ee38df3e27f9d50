import Foundation

/// A path of any kind of file: a regular file, a device, a pipe or a symbolic link.
package enum SourceFile {
  /// The kind of file at a path.
  enum Kind {
    case file, folder, link, other
  }

  /// Why a file was not read.
  package struct Unread: Error, Sendable, Hashable {
    package let reason: String
    /// The line of a syntax error, counted from 1.
    var line: Int?
  }

  /// Longer files are assumed to be generated, and not read.
  private static let maximumBytes = 64 << 20

  /// - Parameter follows: whether a link is followed.
  /// - Returns: `nil` if there is nothing at the path.
  static func kind(_ path: String, follows: Bool) -> Kind? {
    var info = stat()
    guard (follows ? stat(path, &info) : lstat(path, &info)) == 0 else { return nil }
    return kind(info)
  }

  private static func kind(_ info: stat) -> Kind {
    switch info.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    case S_IFLNK: .link
    default: .other
    }
  }

  /// Reads a file. Never blocks, not even on a pipe.
  package static func text(_ path: String, follows: Bool) -> Result<String, Unread> {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW))
    guard descriptor >= 0 else {
      return failure(
        errno == ELOOP && !follows
          ? "it is a link that leads out of what is read" : "it cannot be read: \(String(cString: strerror(errno)))")
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { return failure("it cannot be read") }
    switch kind(info) {
    case .file: break
    case .folder: return failure("it is a folder that cannot be looked into")
    case .link, .other: return failure("it is no file: a pipe, a socket or a device")
    }
    guard info.st_size <= maximumBytes else { return failure("it is longer than \(maximumBytes >> 20) MiB") }
    guard let bytes = try? handle.read(upToCount: maximumBytes) ?? Data() else { return failure("it cannot be read") }
    // `String` would replace bytes that are not UTF-8, which would shift all positions.
    let text = String(decoding: bytes, as: UTF8.self)
    return text.utf8.elementsEqual(bytes) ? .success(text) : failure("it is not UTF-8")
  }

  private static func failure(_ reason: String) -> Result<String, Unread> { .failure(Unread(reason: reason)) }
}
