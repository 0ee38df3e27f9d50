import DualSendCore
package import Foundation

/// Reads and writes files for verbs, with errors that name the file and suggest a fix.
package enum InputFile {
  /// The largest document in bytes, after decompression.
  package static let maximumBytes = 256 << 20

  /// The content of a file; decompresses gzip and zstd.
  package static func bytes(_ path: String) throws -> [UInt8] {
    try bytes(of: opened(path) { try FileHandle(forReadingFrom: URL(fileURLWithPath: path)) }, name: path)
  }

  /// The file's exact bytes, for signatures.
  package static func exactBytes(_ path: String) throws -> [UInt8] {
    try opened(path) {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      try TextFile.refuseDevice(handle)
      return Array(try handle.readToEnd() ?? Data())
    }
  }

  /// The content of a file or a pipe.
  package static func bytes(of handle: FileHandle, name: String) throws -> [UInt8] {
    let bytes = try opened(name) {
      var file = TextFile(handle, keepsByteOrderMark: true)
      return try file.all(limit: maximumBytes)
    }
    guard let bytes else {
      throw CommandError("\(name) holds more than \(maximumBytes.grouped) bytes", help: "is it the right file?")
    }
    return bytes
  }

  /// The exact bytes of a regular file; `nil` if there is none.
  ///
  /// - Throws: ``CommandError`` if there is something that cannot be read.
  package static func exactBytesIfAny(_ path: String) throws -> [UInt8]? {
    guard let file = try OpenedFile.ifAny(path) else { return nil }
    return try opened(path) { Array(try file.handle.readToEnd() ?? Data()) }
  }

  /// A name that stays when links are made to lead elsewhere: the path up to its first symbolic link, and the rest of the
  /// path behind a dot. Links in the root folder belong to the system.
  package static func beforeLinks(_ path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    let root = path.hasPrefix("/") ? "/" : ""
    for count in (path.hasPrefix("/") ? 2 : 1)..<max(2, parts.count + 1) where count <= parts.count {
      let prefix = root + parts[..<count].joined(separator: "/")
      var info = stat()
      guard lstat(prefix, &info) == 0, info.st_mode & S_IFMT == S_IFLNK, !parts[count...].contains("..") else {
        continue
      }
      return ([prefix] + parts[count...]).joined(separator: ".")
    }
    return path
  }

  /// Whether the path is a regular file, which can be read more than once, unlike a pipe.
  package static func isRegularFile(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
  }

  /// Whether the path is a folder, or a link to one.
  package static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// The path of the file that a path with symbolic links leads to.
  package static func resolvingLinks(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }

  /// Creates or replaces a file atomically and durably.
  ///
  /// Follows a symbolic link. Keeps the permissions of an existing file, and its owner if permitted.
  package static func replace(_ path: String, with bytes: [UInt8]) throws {
    try FileReplacement(path, with: bytes).commit()
  }

  /// Creates a folder and its parents, if necessary.
  package static func makeFolder(_ path: String) throws {
    try named(path, "make the folder") {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
  }

  /// Removes a file.
  package static func remove(_ path: String) throws {
    try named(path, "remove") { try FileManager.default.removeItem(atPath: path) }
  }

  /// Runs `body`, and names the folder in its errors.
  package static func inFolder<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
    try named(path, "read", body)
  }

  private static func named<Value>(_ path: String, _ verb: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch {
      throw CommandError("cannot \(verb) \(path): \(error.localizedDescription)", help: "check the path")
    }
  }

  /// Runs `body`, and names the file in its errors.
  package static func opened<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
    if isFolder(path) {
      throw CommandError("cannot read \(path): it is a folder", help: "name a file in it")
    }
    do { return try body() } catch let error as CommandError { throw error } catch let damage as TextFile.Damage {
      throw CommandError("cannot read \(path): \(damage.localizedDescription)")
    } catch {
      throw CommandError("cannot read \(path): \(error.localizedDescription)", help: "check the path")
    }
  }
}

// MARK: - A path that is opened once

/// A regular file, opened before anything is said of it, so that what is said is true of what is read.
package struct OpenedFile: Sendable {
  /// At its start.
  package let handle: FileHandle
  /// In bytes, when it was opened.
  package let size: Int64
  /// In milliseconds since 1970-01-01T00:00:00Z.
  package let modified: Int64
  /// What tells the file from another one of the same name.
  package let number: UInt64
  /// What tells that it was changed or replaced.
  package var mark: [Int64] { [size, modified, Int64(bitPattern: number)] }
  /// The permissions, of the file that a link leads to.
  package let permissions: Int

  /// Opens a file, through links.
  ///
  /// - Throws: ``CommandError`` that says why, for everything but a regular file that can be read.
  package init(_ path: String) throws {
    guard let file = try Self.ifAny(path) else {
      throw CommandError("cannot read \(path): \(String(cString: strerror(ENOENT)))", help: "check the path")
    }
    self = file
  }

  /// Opens a file; `nil` if there is none, and no link that leads nowhere.
  package static func ifAny(_ path: String) throws -> OpenedFile? {
    // A pipe without a writer must not be waited for.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let number = errno
      var link = stat()
      if number == ENOENT, lstat(path, &link) != 0 { return nil }
      let reason = number == ENOENT ? "the link leads to nothing" : String(cString: strerror(number))
      throw CommandError("cannot read \(path): \(reason)", help: "check the path and its permissions")
    }
    return try OpenedFile(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true), path)
  }

  private init(_ handle: FileHandle, _ path: String) throws {
    var info = stat()
    guard fstat(handle.fileDescriptor, &info) == 0 else {
      throw CommandError("cannot read \(path): \(String(cString: strerror(errno)))", help: "check the path")
    }
    let kind: String? =
      switch info.st_mode & S_IFMT {
      case S_IFREG: nil
      case S_IFDIR: "a folder"
      case S_IFIFO: "a pipe"
      default: "a device"
      }
    if let kind { throw CommandError("cannot read \(path): it is \(kind)", help: "name a regular file") }
    self.handle = handle
    size = Int64(info.st_size)
    number = UInt64(info.st_ino)
    #if canImport(Darwin)
      let time = info.st_mtimespec
    #else
      let time = info.st_mtim
    #endif
    modified = Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    permissions = Int(info.st_mode & 0o7777)
  }
}

// MARK: - Open files

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Checks the limit of open files.
package enum OpenFiles {
  /// The number needed for files, connections, and one event loop per processor.
  private static let least = 32 + 4 * ProcessInfo.processInfo.activeProcessorCount

  /// The error if the limit is too low, because the event loops would then crash the process.
  package static func shortage() -> CommandError? {
    let limit = sysconf(Int32(_SC_OPEN_MAX))
    guard limit >= 0, limit < least else { return nil }
    return CommandError(
      "the limit of \(limit) open files is too low: this process needs \(least)",
      help: "raise the limit: `ulimit -n \(max(least, 1024))`")
  }
}
