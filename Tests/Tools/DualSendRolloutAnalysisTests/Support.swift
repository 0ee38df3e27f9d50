import DualSendRollout
import DualSendRolloutAnalysis
import Foundation

/// The folder `Fixtures` of the repository.
let fixtures = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appendingPathComponent("Fixtures")

/// A proved document with these members beside the ones that every document needs.
func document(_ members: String = "", salt: String = "test") throws -> RolloutDocument {
  try RolloutDocument(proving: Array(documentText(members, salt: salt).utf8), name: "rollout.json")
}

func documentText(_ members: String = "", salt: String = "test") -> String {
  let rest = members.isEmpty ? "" : ",\n\(members)"
  return """
    {"formatVersion": 1, "revision": 1, "salt": "\(salt)"\(rest)}
    """
}
