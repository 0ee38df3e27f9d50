import Foundation

/// A folder of a test's own, gone when the test is.
final class ScratchFolder: Sendable {
  private let url = FileManager.default.temporaryDirectory.appendingPathComponent("commands-\(UUID())")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Writes a file and returns its path.
  func file(_ name: String, _ text: String) throws -> String {
    let file = url.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    return file.path
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
