import DualSendCommandLine
@_spi(Tools) import DualSendCore
import DualSendRewriting
import DualSendSource

/// Files that are to change, by name.
struct ChangedFiles {
  private let changed: [(path: String, before: String?, after: String)]

  init(_ changed: [String: String], before texts: SourceTexts) {
    let numbers = Dictionary(texts.paths.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    self.changed = changed.sorted { String.byteOrder($0.key, $1.key) }.map { path, after in
      (path, numbers[path].flatMap { texts.text($0) }, after)
    }
  }

  /// Prints their differences, and changes them if that is wanted, each as a whole or not at all.
  ///
  /// - Throws: if a file was changed by somebody else meanwhile, or cannot be written.
  func show(on console: Console, write: Bool) throws {
    for (path, before, after) in changed { console.data(UnifiedDiff(path, from: before, to: after).text) }
    guard write else { return }
    for (path, before, after) in changed {
      guard try InputFile.exactBytes(path).elementsEqual((before ?? "").utf8) else {
        throw CommandError(
          "\(path) changed while it was read; it and what comes after it stays as it is", help: "run it again")
      }
      try InputFile.replace(path, with: Array(after.utf8))
    }
  }
}
