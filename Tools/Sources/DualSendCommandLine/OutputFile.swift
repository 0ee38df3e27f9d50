package import DualSendJSONLines
import Foundation

/// Opens files that a verb appends to. Errors name the file and suggest a fix.
package enum OutputFile {
  package static func opened(_ path: String) throws -> JSONLinesFile {
    do { return try JSONLinesFile(appendingTo: URL(fileURLWithPath: path)) } catch {
      throw CommandError(
        "cannot write \(path): \(error.localizedDescription)",
        help: "name a file in a folder that can be written, on a disk with space")
    }
  }
}
