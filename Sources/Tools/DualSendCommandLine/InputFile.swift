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

  /// Whether the path is a regular file, which can be read more than once, unlike a pipe.
  package static func isRegularFile(_ path: String) -> Bool {
    (try? URL(fileURLWithPath: path).resolvingSymlinksInPath().resourceValues(forKeys: [.isRegularFileKey]))?
      .isRegularFile == true
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
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw CommandError("cannot read \(path): it is a folder", help: "name a file in it")
    }
    do { return try body() } catch let damage as TextFile.Damage {
      throw CommandError("cannot read \(path): \(damage.localizedDescription)")
    } catch {
      throw CommandError("cannot read \(path): \(error.localizedDescription)", help: "check the path")
    }
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
