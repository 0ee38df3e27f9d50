/// The files of a run, by number.
package struct SourceTexts: Sendable {
  private let files: FoundFiles
  private let read: @Sendable (Int) -> Result<String, SourceFile.Unread>

  /// Reads files on disk, which must not change in the meantime.
  package init(_ files: FoundFiles) {
    self.init(files) { SourceFile.text(files.paths[$0], follows: files.named.contains(files.paths[$0])) }
  }

  /// Texts in memory.
  package init(_ texts: [(path: String, text: String)]) {
    self.init(FoundFiles(paths: texts.map(\.path))) { .success(texts[$0].text) }
  }

  private init(_ files: FoundFiles, _ read: @escaping @Sendable (Int) -> Result<String, SourceFile.Unread>) {
    (self.files, self.read) = (files, read)
  }

  /// The names of the files, by number.
  package var paths: [String] { files.paths }

  /// Files in Objective-C, which have no number.
  var objectiveC: [String] { files.objectiveC }

  /// Folders of tests and of other people's code that were left out.
  package var leftOut: [String] { files.leftOut }

  /// A file's text; `nil` if it cannot be read, or is not UTF-8.
  package func text(_ number: Int) -> String? { try? read(number).get() }

  /// A file's text, or the reason why it cannot be read.
  func reading(_ number: Int) -> Result<String, SourceFile.Unread> { read(number) }
}
