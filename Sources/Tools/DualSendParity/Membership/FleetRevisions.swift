import DualSendCommandLine
package import DualSendCore
import Foundation

/// Which revisions the apps of a fleet have now, by the new stream's events of the last five minutes.
package struct FleetRevisions: Sendable, Hashable {
  private static let window: Int64 = 300_000
  /// How much of the end of a file is read: at 300 bytes an event, 700 events a second.
  private static let maximumBytes: UInt64 = 64 << 20

  package private(set) var revisions = RevisionTally()
  /// Events without a decision.
  package private(set) var withoutDecision = 0

  /// Reads the end of a file that a collector writes.
  ///
  /// - Parameter now: in milliseconds since 1970-01-01T00:00:00Z. Events of later times, and of earlier ones than five minutes
  ///   before, do not count.
  /// - Throws: ``ParityError`` if the file cannot be read.
  package init(_ path: String, now: Int64) throws(ParityError) {
    try ParityError.wrapping { try read(path, (now - Self.window)...now) }
  }

  private mutating func read(_ path: String, _ period: ClosedRange<Int64>) throws {
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    let size = try handle.seekToEnd()
    let start = size > Self.maximumBytes ? size - Self.maximumBytes : 0
    try handle.seek(toOffset: start)
    var (reader, decisions) = (LineReader(handle), DecisionReader())
    reader.forEachLine { bytes, number, isCut in
      // The first line may have begun before.
      guard !isCut, number > 1 || start == 0, let line = EventLine(bytes, form: .wire),
        let time = line.milliseconds, period.contains(time)
      else { return }
      if let decision = decisions.decision(of: line) {
        revisions.add(decision.revision)
      } else {
        withoutDecision += 1
      }
    }
    if let failure = reader.failure { throw failure }
  }

  package var json: EventValue {
    ["revisions": revisions.json, "withoutDecision": .int(Int64(withoutDecision))]
  }
}

extension FleetRevisions: CustomStringConvertible {
  /// `revision 12: 81.95%, 11: 18.05%, of 1,204 events of the last 5 minutes; 3 more without a decision`
  package var description: String {
    let more = withoutDecision > 0 ? "\(withoutDecision.grouped) more without a decision" : nil
    guard revisions.total > 0 else {
      return "no event of the last 5 minutes names a revision" + (more.map { "; \($0)" } ?? "")
    }
    let events = "of \(revisions.total.counted("event")) of the last 5 minutes"
    return "revision \(revisions), \(events)" + (more.map { "; \($0)" } ?? "")
  }
}
