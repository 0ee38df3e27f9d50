import DualSendJSONLines
package import Foundation

/// Dead letters as JSON lines of ``StreamForm/wire``, as `dualsend db letters --export` writes them.
package enum DeadLetterLines {
  /// Counts the dead letters of a period by their new name. An id counts once, because exports may overlap.
  ///
  /// A last line without a line feed that is not an event is ignored: it is still being written.
  ///
  /// - Throws: ``ParityError`` if a file cannot be read, or another line is not an event.
  package static func counts(in files: [URL], of period: ClosedRange<Int64>) throws(ParityError) -> [String: Int] {
    try ParityError.wrapping {
      var ids: Set<String> = []
      var counts: [String: Int] = [:]
      for file in files {
        var reader = try LineReader(file)
        var bad: Int?
        var last = 0
        reader.forEachLine { bytes, number, isCut in
          last = number
          guard bytes.contains(where: { $0 > 0x20 }) else { return }
          guard !isCut, let line = EventLine(bytes, form: .wire), let name = line.eventName, let id = line.eventID,
            let time = line.milliseconds
          else {
            bad = bad ?? number
            return
          }
          if period.contains(time), ids.insert(id).inserted { counts[name, default: 0] += 1 }
        }
        if let failure = reader.failure { throw failure }
        if let bad, !(reader.isUnfinished && bad == last) {
          throw ParityError(reason: "line \(bad) of \(file.path) is not a dead letter")
        }
      }
      return counts
    }
  }
}
