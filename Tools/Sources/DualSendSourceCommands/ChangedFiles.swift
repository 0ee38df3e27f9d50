import DualSendCommandLine
import DualSendCore
import DualSendRewriting
import DualSendSource

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
