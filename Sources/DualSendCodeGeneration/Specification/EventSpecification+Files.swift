import DualSendCore
public import Foundation

extension EventSpecification {
  /// Reads a specification: a folder of Markdown files, one an event, or one JSON file.
  ///
  /// In a folder every `.md` file counts, those of folders inside too, but for `README.md`.
  ///
  /// - Parameter file: the folder or the file; diagnostics call files as they are named here.
  /// - Throws: `DocumentError` for what is wrong with it; Foundation's errors where it cannot be read.
  public init(contentsOf file: URL) throws {
    guard Self.isFolder(file) else {
      try self.init(json: Data(contentsOf: file), name: file.relativePath)
      return
    }
    let files = try Self.markdownFiles(in: file).map { path in
      try MarkdownFile(
        name: file.relativePath + "/" + path, bytes: Array(Data(contentsOf: file.appendingPathComponent(path))))
    }
    try self.init(markdown: files)
  }

  /// The paths of a folder's Markdown files, relative to it, ordered by their bytes.
  public static func markdownFiles(in folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { path in
        let name = path.split(separator: "/").last ?? ""
        return name.hasSuffix(".md") && name != "README.md" && !name.hasPrefix(".")
      }
      .sorted(by: String.byteOrder)
  }

  /// Whether a folder stands there.
  public static func isFolder(_ file: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
