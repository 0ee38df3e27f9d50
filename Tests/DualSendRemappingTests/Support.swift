import DualSendCore
import DualSendRemapping
import Foundation

/// The repository's `Fixtures` folder, found from this file's own place.
let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().appending(path: "Fixtures")

func fixtureNames(in folder: String) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: fixtures.appending(path: folder).path)
    .filter { $0.hasSuffix(".json") }.sorted()
}

func table(_ text: String) throws -> RemappingTable {
  try RemappingTable(reading: text.utf8, name: "remapping.json")
}

/// A table with one entry for the event `e`.
func table(forEvent entry: String) throws -> RemappingTable {
  try table(#"{"formatVersion": 1, "events": {"e": \#(entry)}}"#)
}

/// The codes that reading the table reports, in their order.
func codes(_ text: String) -> [String] {
  do {
    return try table(text).warnings.map(\.code.rawValue)
  } catch let error as DocumentError {
    return error.diagnostics.map(\.code.rawValue)
  } catch {
    return ["\(error)"]
  }
}

func payload(_ json: String) throws -> [String: EventValue] {
  guard case .object(let members) = try JSONReader().value(json.utf8) else { return [:] }
  return members
}

extension RemappedEvent {
  var json: String { EventValue.object(payload).canonicalText }
}
