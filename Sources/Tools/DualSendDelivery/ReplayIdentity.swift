import DualSendCommandLine
import DualSendCore
package import Foundation

/// Identifies a replay across runs, by the content of the events file and the stage.
///
/// An event's id is derived from the content and number of its line. A line that is sent again after a crash has the
/// same id, so the collector counts it once.
package struct ReplayIdentity: Sendable {
  /// Names the replay in the database.
  let fingerprint: UInt64
  private let oldLog: UInt64

  /// - Parameters:
  ///   - file: read once from start to end.
  ///   - oldLog: where the old logger writes.
  ///   - stage: distinguishes replays of one file whose events are different events.
  package init(_ file: URL, oldLog: URL, stage: String = "") throws {
    self.oldLog = FNV1a.hash(oldLog.standardizedFileURL.path.utf8)
    var hash = FNV1a.hash(stage.utf8)
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    try TextFile.refuseDevice(handle)
    while let data = try handle.read(upToCount: 1 << 20), !data.isEmpty { hash = FNV1a.hash(data, after: hash) }
    fingerprint = hash
  }

  /// The key under which the tracker's database stores the number of lines sent.
  var noteKey: String { "replay." + String(fingerprint, radix: 16) }

  /// The key under which it stores the length of the old log in bytes.
  var oldLogNoteKey: String { noteKey + ".old." + String(oldLog, radix: 16) }

  func eventID(of line: LineReader.Line, time: Int64) -> EventID {
    var bits = SplitMix64(seed: FNV1a.hash(line.bytes) ^ fingerprint &+ UInt64(line.number))
    return EventID(milliseconds: time, using: &bits)
  }
}
