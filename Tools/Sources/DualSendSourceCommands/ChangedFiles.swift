import DualSendCommandLine
import DualSendCore
import DualSendSource
import Foundation

/// The files of a rewrite, by name.
struct ChangedFiles {
  private struct File {
    let path: String
    let before: String?
    let after: String
    /// Whether the path is a symbolic link that was itself an argument.
    let follows: Bool
  }

  private let files: [File]

  init(_ changed: [String: String], before texts: SourceTexts) {
    let numbers = Dictionary(texts.paths.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    files = changed.sorted { String.byteOrder($0.key, $1.key) }.map { path, after in
      let number = numbers[path]
      return File(
        path: path, before: number.flatMap { texts.text($0) }, after: after,
        follows: number.map { texts.follows($0) } ?? false)
    }
  }

  /// Prints the differences, and writes the files if `write` is true.
  ///
  /// Writes every file to a temporary one first: on a full disk or in a read-only folder no file changes.
  ///
  /// - Throws: if another process changed a file meanwhile, or a file cannot be written; the error names the files written.
  func show(on terminal: Terminal, write: Bool) throws {
    for file in files { terminal.data(UnifiedDiff(file.path, from: file.before, to: file.after).text) }
    guard write else { return }
    var prepared: [FileReplacement] = []
    var written: [String] = []
    defer { for file in prepared.dropFirst(written.count) { file.discard() } }
    do {
      for file in files {
        prepared.append(
          try FileReplacement(file.path, before: file.before, after: file.after, follows: file.follows))
      }
      for file in prepared {
        try file.commit()
        written.append(file.path)
      }
    } catch let error as CommandError {
      throw CommandError(error.message + "; " + Self.state(written, of: files.count), help: error.help)
    }
  }

  private static func state(_ written: [String], of count: Int) -> String {
    guard !written.isEmpty else { return "no file was changed" }
    let names = written.prefix(namedFiles).joined(separator: ", ")
    return "\(written.count.grouped) of \(count.counted("file")) changed before, in order of their names: \(names)"
      + (written.count > namedFiles ? ", …" : "")
  }

  private static let namedFiles = 8
}

// MARK: - File replacement

/// Writes the new content of a file to a temporary file beside it, and then replaces the file. If writing fails, the
/// file stays unchanged.
struct FileReplacement {
  let path: String
  private let before: String?
  private let follows: Bool
  private let target: String
  private let temporary: String

  /// Writes the new content beside the file, with the file's mode.
  ///
  /// - Parameters:
  ///   - before: the current content of the file; `nil` for a new file.
  ///   - follows: whether a symbolic link is followed, as when the file was read.
  /// - Throws: if the content cannot be written; the temporary file is then removed.
  init(_ path: String, before: String?, after: String, follows: Bool) throws {
    (self.path, self.before, self.follows) = (path, before, follows)
    target = follows ? Self.realPath(path) : path
    let folder = (target as NSString).deletingLastPathComponent
    temporary = (folder.isEmpty ? "." : folder) + "/.dualsend-\(UUID())"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Self.error(path, errno) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      if before != nil {
        var info = stat()
        guard stat(target, &info) == 0, access(target, W_OK) == 0 else { throw Self.error(path, errno) }
        // Keeps the owner if the process may set it.
        _ = fchown(descriptor, info.st_uid, info.st_gid)
        guard fchmod(descriptor, info.st_mode & 0o7777) == 0 else { throw Self.error(path, errno) }
      }
      try file.write(contentsOf: Data(after.utf8))
      try file.synchronize()
    } catch {
      discard()
      throw error is CommandError
        ? error : CommandError("cannot write \(path): \(error.localizedDescription)", help: Self.help)
    }
  }

  /// Replaces the file with the new content.
  ///
  /// - Throws: if the file has changed since it was read, or cannot be replaced.
  func commit() throws {
    if let before {
      let now = try? SourceFile.text(path, follows: follows).get()
      guard let now, now.utf8.elementsEqual(before.utf8) else {
        throw CommandError("\(path) changed while it was read", help: "run it again")
      }
      guard rename(temporary, target) == 0 else { throw Self.error(path, errno) }
    } else {
      // `link` fails if the target exists; `rename` would replace it.
      guard link(temporary, target) == 0 else { throw Self.error(path, errno) }
      discard()
    }
  }

  /// Removes the temporary file.
  func discard() {
    unlink(temporary)
  }

  private static let help = "check the folder's permissions and the space on the disk"

  private static func error(_ path: String, _ number: Int32) -> CommandError {
    CommandError("cannot write \(path): \(String(cString: strerror(number)))", help: help)
  }

  private static func realPath(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
