import DualSendCommandLine
package import DualSendCore
package import Foundation

/// The committed files below `Fixtures/legacy`.
package enum LegacyFiles {
  package static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  package struct TrackingEvent: Sendable {
    package let name: String
    package let unitID: String?
    package let parameters: [String: EventValue]
  }

  package static func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: folder.appendingPathComponent("legacy").appendingPathComponent(name))
  }

  package static func events() throws -> [TrackingEvent] {
    try readEvents.get()
  }

  private static let readEvents = Result {
    try LineReader(folder.appendingPathComponent("legacy/events.jsonl")).compactMap { line -> TrackingEvent? in
      guard case .object(let members) = try JSONReader().value(line.bytes), case .string(let name)? = members["name"],
        case .object(let parameters)? = members["parameters"], case .int? = members["time"]
      else { return nil }
      let unitID: String? = if case .string(let unit)? = members["unitID"] { unit } else { nil }
      return TrackingEvent(name: name, unitID: unitID, parameters: parameters)
    }
  }
}
