public import Foundation

/// The files of a run, by number.
public struct SourceTexts: Sendable {
  /// What the files are called, by number.
  public let paths: [String]
  /// Files in Objective-C, which have no number.
  let objectiveC: [String]
  /// Folders of tests that were left out.
  public private(set) var leftOut: [String] = []
  private let read: @Sendable (Int) -> Result<String, SourceFile.Unread>
  /// Links that are followed.
  private var named: Set<String> = []

  /// Files on the disk, which must not change while they are read.
  public init(_ files: FoundFiles) {
    (paths, named, objectiveC, leftOut) = (files.paths, files.named, files.objectiveC, files.leftOut)
    read = { SourceFile.text(files.paths[$0], follows: files.named.contains(files.paths[$0])) }
  }

  /// Files on the disk, reported under other names.
  public init(files: [URL], names: [String]) {
    (paths, objectiveC) = (names, [])
    read = { SourceFile.text(files[$0].path, follows: true) }
  }

  /// Texts in memory.
  public init(_ texts: [(path: String, text: String)]) {
    (paths, objectiveC) = (texts.map(\.path), [])
    read = { .success(texts[$0].text) }
  }

  /// A copy of the files in memory, so that later changes on the disk are not seen.
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

  /// Whether a file was among the paths, so that a link is followed.
  package func follows(_ number: Int) -> Bool { named.contains(paths[number]) }

  /// A file's text, or why there is none.
  func reading(_ number: Int) -> Result<String, SourceFile.Unread> { read(number) }
}
