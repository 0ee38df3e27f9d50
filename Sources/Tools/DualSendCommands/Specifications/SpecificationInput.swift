import DualSendCodeGeneration
import DualSendCommandLine
import Foundation

/// Reads a specification of events: a folder of Markdown files, one Markdown file, or one JSON file.
enum SpecificationInput {
  static func specification(at path: String) throws -> EventSpecification {
    guard let files = try markdownFiles(at: path) else {
      return try EventSpecification(reading: InputFile.bytes(path), name: path)
    }
    return try EventSpecification(
      markdown: files.map { EventSpecification.MarkdownFile(name: $0, bytes: try InputFile.exactBytes($0)) })
  }

  /// The Markdown files that a path names; `nil` if it names another file.
  static func markdownFiles(at path: String) throws -> [String]? {
    let folder = URL(fileURLWithPath: path)
    guard EventSpecification.isFolder(folder) else { return path.hasSuffix(".md") ? [path] : nil }
    let prefix = path.hasSuffix("/") ? path : path + "/"
    return try InputFile.inFolder(path) { try EventSpecification.markdownFiles(in: folder) }.map { prefix + $0 }
  }
}
