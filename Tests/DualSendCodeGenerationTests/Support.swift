import DualSendCodeGeneration
import DualSendCore
import Foundation

/// Files of the repository's `Fixtures/specification` folder.
enum Fixture {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/specification")

  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appendingPathComponent(path)))
  }

  static func names(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(path).path).sorted()
  }

  static func markdown(_ path: String) throws -> EventSpecification.MarkdownFile {
    EventSpecification.MarkdownFile(name: path, bytes: try bytes(path))
  }
}

/// A specification of one event, or of none.
func specification(_ events: EventSpecification.Event...) -> EventSpecification {
  EventSpecification(events: events)
}

/// Reads one Markdown file.
func markdown(_ text: String) throws -> EventSpecification {
  try EventSpecification(markdown: [.init(name: "e.md", bytes: Array(text.utf8))])
}

/// What reading is refused with, in the order of the places; empty if it is accepted.
func codes(_ read: () throws -> EventSpecification) -> [String] {
  do {
    _ = try read()
    return []
  } catch {
    return (error as? DocumentError)?.diagnostics.map(\.code.rawValue) ?? ["\(error)"]
  }
}
