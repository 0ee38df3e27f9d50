package import DualSend
import DualSendRemapping
package import Foundation

/// Reads the pairs of two streams, without a table.
package enum StreamPairs {
  /// The old and the new payload of one event.
  package struct Pair: Sendable {
    package let oldName: String
    package let old: [String: EventValue]
    package let newName: String
    package let new: [String: EventValue]
    /// The length of both lines.
    package let byteCount: Int

    package init(
      oldName: String, old: [String: EventValue], newName: String, new: [String: EventValue], byteCount: Int = 0
    ) {
      (self.oldName, self.old, self.newName, self.new, self.byteCount) = (oldName, old, newName, new, byteCount)
    }
  }

  /// The number of pairs and of other lines.
  package struct Counts: Sendable {
    package internal(set) var pairs = 0
    /// The number of lines without a partner, and of those that repeat an id.
    package internal(set) var lone = 0
    package internal(set) var old = ParityReport.Stream()
    package internal(set) var new = ParityReport.Stream()
  }

  private static let memory = 16 << 20

  /// Calls `body` with each pair, in a deterministic order: by the hash of the id, or by time.
  ///
  /// Memory is bounded; the rest spills to a temporary file.
  ///
  /// - Parameter rule: a join by order ignores the events' names.
  /// - Throws: ``ParityError`` if a file cannot be read, or the temporary folder cannot hold the lines.
  package static func forEach(
    old: URL, new: URL, joinedBy rule: JoinRule, _ body: (Pair) -> Void
  ) throws(ParityError) -> Counts {
    try ParityError.wrapping {
      let keys = LineKeys(join: rule, table: nil)
      let lines = try rule.lineJoin([old, new], memory: memory)
      var counts = Counts()
      counts.old = try keys.read(old, as: .old, into: lines)
      counts.new = try keys.read(new, as: .new, into: lines)
      try lines.forEachMatch(in: .all) { match in
        if let pair = counts.pair(of: match, rule) { body(pair) }
      }
      return counts
    }
  }
}

extension StreamPairs.Counts {
  /// Counts a match, and parses it if it is a pair.
  fileprivate mutating func pair(of match: LineMatch, _ rule: JoinRule) -> StreamPairs.Pair? {
    guard case .pair(let old, let new) = match else {
      lone += 1
      return nil
    }
    guard let oldName = old.line.eventName, var payload = old.line.payload else {
      self.old.countMalformed(old.header.line)
      return nil
    }
    guard let newName = new.line.eventName, let newPayload = new.line.payload else {
      self.new.countMalformed(new.header.line)
      return nil
    }
    if case .eventID(let parameter?) = rule {
      payload[parameter] = nil
      _ = StampReader.take(from: &payload)
    }
    pairs += 1
    return StreamPairs.Pair(
      oldName: oldName, old: payload, newName: newName, new: newPayload,
      byteCount: old.line.bytes.count + new.line.bytes.count)
  }
}
