import DualSend
import DualSendTesting
import Foundation

/// Files of the repository's `Fixtures` folder.
enum Fixture {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  static func data(_ path: String) throws -> Data {
    try Data(contentsOf: folder.appendingPathComponent(path))
  }

  /// The legacy events that the golden files are about, one of each name.
  static func goldenEvents() throws -> [LegacyEvent] {
    var selection = GoldenSelection(perName: 1)
    for line in try data("legacy/events.jsonl").split(separator: UInt8(ascii: "\n")) {
      selection.add(try LegacyEvent(reading: line))
    }
    return selection.cases.map(\.event)
  }
}
