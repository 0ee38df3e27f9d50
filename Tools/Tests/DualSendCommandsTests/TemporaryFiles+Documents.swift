extension TemporaryFiles {
  /// Writes a file and returns its path.
  func file(_ name: String, _ text: String) throws -> String {
    try write(name, text)
    return path(name)
  }

  /// Writes a rollout document with these members beside the ones that every document has.
  func rollout(
    _ members: String = "", named name: String = "rollout.json", revision: Int = 1, salt: String = "test"
  ) throws -> String {
    let rest = members.isEmpty ? "" : ", " + members
    return try file(name, #"{"formatVersion": 1, "revision": \#(revision), "salt": "\#(salt)"\#(rest)}"#)
  }

  /// Writes a remapping table with these entries.
  func table(_ events: String) throws -> String {
    try file("table.json", #"{"formatVersion": 1, "events": \#(events)}"#)
  }
}
