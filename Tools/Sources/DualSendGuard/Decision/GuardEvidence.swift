package import DualSendParity

/// The measurements of a step's events.
package struct GuardEvidence: Sendable {
  package var report: ParityReport
  /// The number of dead letters by event, with the names of the report.
  package let deadLetters: [String: Int]
  /// The time of the newest event of the stream that ends first, in milliseconds since 1970-01-01T00:00:00Z; `nil` if a
  /// stream has no event.
  package let newest: Int64?

  /// - Parameter deadLetters: the number of dead letters by new name.
  package init(_ report: ParityReport, deadLetters: [String: Int] = [:], newest: Int64?) {
    var left = deadLetters
    var counts: [String: Int] = [:]
    for event in report.events {
      if let count = left.removeValue(forKey: event.newName) { counts[event.name] = count }
    }
    (self.report, self.newest) = (report, newest)
    self.deadLetters = counts.merging(left, uniquingKeysWith: +)
  }
}
