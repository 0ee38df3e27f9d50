import DualSendCore
package import Foundation

extension TemporaryFiles {
  /// Writes a file and returns its path.
  package func file(_ name: String, _ text: String) throws -> String {
    try write(name, text)
    return path(name)
  }

  /// Writes a rollout document with these members beside the ones that every document has.
  package func rollout(
    _ members: String = "", named name: String = "rollout.json", revision: Int = 1, salt: String = "test"
  ) throws -> String {
    let rest = members.isEmpty ? "" : ", " + members
    return try file(name, #"{"formatVersion": 1, "revision": \#(revision), "salt": "\#(salt)"\#(rest)}"#)
  }

  /// Writes a remapping table with these entries.
  package func table(_ events: String) throws -> String {
    try file("table.json", #"{"formatVersion": 1, "events": \#(events)}"#)
  }

  /// Writes a packed file and returns its path.
  package func gzip(_ name: String, _ text: String) throws -> String {
    let packed = Zlib.compress(Array(text.utf8), as: .gzip)
    try Data(packed ?? []).write(to: folder.appendingPathComponent(name))
    return path(name)
  }

  /// Opens a file with this text, as standard input is opened.
  package func input(_ text: String) throws -> FileHandle {
    try FileHandle(forReadingFrom: URL(fileURLWithPath: try file("input", text)))
  }
}
