@_spi(Tools) import DualSendCodeGeneration
import Foundation

/// Where a specification of events is read from: a folder of Markdown files or one JSON file.
enum SpecificationInput {
  static func specification(at path: String) throws -> EventSpecification {
    let folder = URL(fileURLWithPath: path)
    guard EventSpecification.isFolder(folder) else {
      return try EventSpecification(json: InputFile.bytes(path), name: path)
    }
    let prefix = path.hasSuffix("/") ? path : path + "/"
    return try EventSpecification(
      markdown: EventSpecification.markdownFiles(in: folder).map { name in
        EventSpecification.MarkdownFile(name: prefix + name, bytes: try InputFile.exactBytes(prefix + name))
      })
  }
}
