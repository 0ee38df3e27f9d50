import DualSendRollout
import Foundation

/// Files of the repository's `Fixtures` folder.
enum Fixture {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  static func data(_ path: String) throws -> Data {
    try Data(contentsOf: folder.appendingPathComponent(path))
  }

  static func lines(_ path: String) throws -> [Substring] {
    try String(decoding: data(path), as: UTF8.self).split(whereSeparator: \.isNewline)
  }
}

/// A document with these members beside the ones that every document needs.
func document(_ members: String = "", salt: String = "test") throws -> RolloutDocument {
  try RolloutDocument(reading: Array(documentText(members, salt: salt).utf8), name: "rollout.json")
}

func documentText(_ members: String = "", salt: String = "test") -> String {
  let rest = members.isEmpty ? "" : ",\n\(members)"
  return """
    {"formatVersion": 1, "revision": 1, "salt": "\(salt)"\(rest)}
    """
}
