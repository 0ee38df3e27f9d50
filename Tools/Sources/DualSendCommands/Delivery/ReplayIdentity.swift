import DualSendCore
import DualSendJSONLines
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
  ///   - oldLog: where the old sink writes.
  ///   - stage: distinguishes replays of one file whose events are different events.
  package init(_ file: URL, oldLog: URL, stage: String = "") throws {
    var path = FNV1a()
    path.add(oldLog.standardizedFileURL.path.utf8)
    self.oldLog = path.value
    var hash = FNV1a()
    hash.add(stage.utf8)
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    try TextFile.refuseDevice(handle)
    while let data = try handle.read(upToCount: 1 << 20), !data.isEmpty { hash.add(data) }
    fingerprint = hash.value
  }

  /// The key under which the tracker's database stores the number of lines sent.
  var noteKey: String { "replay." + String(fingerprint, radix: 16) }

  /// The key under which it stores the length of the old log in bytes.
  var oldLogNoteKey: String { noteKey + ".old." + String(oldLog, radix: 16) }

  func eventID(of line: LineReader.Line, time: Int64) -> EventID {
    var hash = FNV1a()
    hash.add(line.bytes)
    var bits = SplitMix64(seed: hash.value ^ fingerprint &+ UInt64(line.number))
    return EventID(milliseconds: time, using: &bits)
  }
}

/// The 64-bit FNV-1a hash (RFC 9923). Tells texts apart; not a defence against tampering.
package struct FNV1a {
  /// The hash of the bytes so far.
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  /// Adds bytes to the hash.
  package mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }
}
