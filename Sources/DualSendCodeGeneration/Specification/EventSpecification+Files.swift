import DualSendCore
public import Foundation

extension EventSpecification {
  /// Reads a specification: a folder of Markdown files, one for each event, or one JSON file.
  ///
  /// Reads all `.md` files in a folder and its subfolders, except `README.md`.
  ///
  /// - Parameter file: the folder or the file. Diagnostics use its relative path.
  /// - Throws: `DocumentError` for an invalid specification; Foundation's errors if it cannot be read.
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

  /// The relative paths of a folder's Markdown files, sorted by bytes.
  public static func markdownFiles(in folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { path in
        let name = path.split(separator: "/").last ?? ""
        return name.hasSuffix(".md") && name != "README.md" && !name.hasPrefix(".")
      }
      .sorted(by: String.byteOrder)
  }

  /// Whether the URL is a folder.
  public static func isFolder(_ file: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
