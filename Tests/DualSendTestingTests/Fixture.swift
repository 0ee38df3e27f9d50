import DualSend
import Foundation

/// Files of the repository's `Fixtures` folder.
enum Fixture {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  static func data(_ path: String) throws -> Data {
    try Data(contentsOf: folder.appendingPathComponent(path))
  }

  /// The first legacy event of each name.
  static func firstEvents() throws -> [LegacyEvent] {
    var names: Set<String> = []
    return try data("legacy/events.jsonl").split(separator: UInt8(ascii: "\n"))
      .map { try LegacyEvent(reading: $0) }
      .filter { names.insert($0.name).inserted }
  }
}
