import Foundation

/// Files that a verb reads, with an error that names the file and the way out.
enum InputFile {
  static func bytes(_ path: String) throws -> [UInt8] {
    try opened(path) { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
  }

  /// Runs `body` and names the file in whatever goes wrong.
  static func opened<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch {
      throw CommandError("cannot read \(path): \(error.localizedDescription)", help: "check the path")
    }
  }
}
