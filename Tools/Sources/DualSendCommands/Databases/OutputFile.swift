import DualSendCommandLine
import DualSendJSONLines
import Foundation

/// Files that a verb appends to, with an error that names the file and the way out.
enum OutputFile {
  static func opened(_ path: String) throws -> JSONLinesFile {
    do { return try JSONLinesFile(appendingTo: URL(fileURLWithPath: path)) } catch {
      throw CommandError(
        "cannot write \(path): \(error.localizedDescription)",
        help: "name a file in a folder that can be written, on a disk with space")
    }
  }
}
