import DualSendCommandLine
import DualSendCore
import DualSendJSONLines
import Foundation

/// Appends the events that the console receives as a collector to a file, as JSON lines. `dualsend guard` and
/// `dualsend parity` read them.
actor EventRecording {
  private var file: JSONLinesFile

  /// - Throws: ``CommandError`` if the file cannot be written.
  init(_ path: String) throws {
    do { file = try JSONLinesFile(appendingTo: URL(fileURLWithPath: path)) } catch {
      throw CommandError(
        "cannot write \(path): \(error.localizedDescription)",
        help: "name a file in a folder that can be written, on a disk with space")
    }
  }

  /// - Throws: if the file cannot be written; the client then sends the events again.
  func append(_ events: [TrackingEvent]) throws {
    for event in events {
      var writer = CanonicalJSONWriter(capacity: 512)
      event.writeElement(to: &writer)
      try file.append(writer.bytes)
    }
    try file.flush()
  }
}
