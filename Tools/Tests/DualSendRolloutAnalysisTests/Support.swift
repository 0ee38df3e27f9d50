import DualSendRollout

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
