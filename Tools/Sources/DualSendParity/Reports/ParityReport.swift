/// The result of comparing an old and a new stream: counts, paths and event ids, never values.
///
/// All counts are exact. The report does not depend on the order of lines.
package struct ParityReport: Sendable, Hashable {
  /// One of the two streams.
  package struct Stream: Sendable, Hashable {
    /// The number of lines, without empty ones.
    package internal(set) var lines = 0
    /// The number of lines that are not valid events.
    package internal(set) var malformed = 0
    /// The numbers of the first malformed lines, from 1; at most ``ParityReport/maximumExamples``.
    package internal(set) var malformedLines: [Int] = []

    /// The time of the newest compared event, in milliseconds since 1970; `nil` unless a period was compared.
    package internal(set) var newest: Int64?

    /// Creates an empty stream.
    package init() {}
  }

  /// The most examples in each list.
  static let maximumExamples = 5
  /// The most events that are counted separately. Names beyond that are considered data, and share one entry.
  static let maximumEvents = 10_000
  /// The name of the shared entry.
  static let otherEvents = "(other events)"

  /// How lines were joined.
  package internal(set) var join: JoinRule
  /// How events without a decision were judged.
  package internal(set) var membership: StreamMembership.Summary
  /// The old stream.
  package internal(set) var old = Stream()
  /// The new stream.
  package internal(set) var new = Stream()
  /// The events, sorted by old name.
  package internal(set) var events: [EventParity] = []
  /// The counts by day, event and revision, if the comparer counts them. No part of the report's formats.
  package internal(set) var days = DayTally()
  /// Whether noise is subtracted.
  package internal(set) var isCalibrated = false

  /// Creates a report without events.
  package init(join: JoinRule, membership: StreamMembership.Summary = .everywhere) {
    (self.join, self.membership) = (join, membership)
  }
}

extension ParityReport {
  /// The sum of all events, with the name `total`.
  package var total: EventParity {
    events.reduce(into: EventParity(name: "total", newName: "total")) { $0.add($1) }
  }

  /// The events with the largest share of failures first, and events without judged lines last.
  var eventsByFailures: [EventParity] {
    events.sorted { left, right in
      // Compares a/b > c/d as a·d > c·b in full width, without rounding or overflow.
      let leftShare = left.failing.multipliedFullWidth(by: max(right.judged, 1))
      let rightShare = right.failing.multipliedFullWidth(by: max(left.judged, 1))
      if (left.judged == 0) != (right.judged == 0) { return right.judged == 0 }
      return leftShare == rightShare ? left.name < right.name : leftShare > rightShare
    }
  }
}
