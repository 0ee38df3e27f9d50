/// The files of a run, by number.
public struct SourceTexts: Sendable {
  /// The names of the files, by number.
  public let paths: [String]
  /// Files in Objective-C, which have no number.
  let objectiveC: [String]
  private let read: @Sendable (Int) -> Result<String, SourceFile.Unread>
  /// Symbolic links that are followed.
  private var named: Set<String> = []

  /// Reads files on disk, which must not change in the meantime.
  public init(_ files: FoundFiles) {
    (paths, named, objectiveC) = (files.paths, files.named, files.objectiveC)
    read = { SourceFile.text(files.paths[$0], follows: files.named.contains(files.paths[$0])) }
  }

  /// Texts in memory.
  public init(_ texts: [(path: String, text: String)]) {
    (paths, objectiveC) = (texts.map(\.path), [])
    read = { .success(texts[$0].text) }
  }

  /// A copy of the files in memory, which later changes on disk do not affect.
  public func kept() -> SourceTexts {
    SourceTexts(paths: paths, named: named, objectiveC: objectiveC, kept: paths.indices.map(read))
  }

  private init(
    paths: [String], named: Set<String>, objectiveC: [String], kept: [Result<String, SourceFile.Unread>]
  ) {
    (self.paths, self.named, self.objectiveC) = (paths, named, objectiveC)
    read = { kept[$0] }
  }

  /// A file's text; `nil` if it cannot be read, or is not UTF-8.
  public func text(_ number: Int) -> String? { try? read(number).get() }

  /// Whether a file was itself an argument, so that a symbolic link is followed.
  package func follows(_ number: Int) -> Bool { named.contains(paths[number]) }

  /// A file's text, or the reason why it cannot be read.
  func reading(_ number: Int) -> Result<String, SourceFile.Unread> { read(number) }
}
