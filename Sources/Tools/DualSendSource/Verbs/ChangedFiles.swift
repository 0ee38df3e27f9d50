import DualSendCommandLine
import DualSendCore

/// The files of a rewrite, by name.
struct ChangedFiles {
  private struct File {
    let path: String
    let before: String
    let after: String
    /// Whether the path is a symbolic link that was itself an argument.
    let follows: Bool

    /// Whether the file still has the content that was read.
    var isUnchanged: Bool {
      let now = try? SourceFile.text(path, follows: follows).get()
      return now?.utf8.elementsEqual(before.utf8) == true
    }
  }

  private let files: [File]

  init(_ changed: [String: String], before texts: SourceTexts) {
    files = texts.paths.indices.compactMap { number in
      let path = texts.paths[number]
      guard let after = changed[path], let before = texts.text(number) else { return nil }
      return File(path: path, before: before, after: after, follows: texts.follows(number))
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
      for file in files { prepared.append(try FileReplacement(file.path, with: Array(file.after.utf8))) }
      for (file, replacement) in zip(files, prepared) {
        guard file.isUnchanged else {
          throw CommandError("\(file.path) changed while it was read", help: "run it again")
        }
        try replacement.commit()
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
