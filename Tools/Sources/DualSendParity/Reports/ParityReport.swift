/// What a comparison of an old and a new stream found. Holds counts, paths and event ids, never values.
///
/// All counts are exact; the same two streams give the same report whatever the order of their lines.
package struct ParityReport: Sendable, Hashable {
  /// One of the two streams.
  package struct Stream: Sendable, Hashable {
    /// How many lines the stream has, empty ones left out.
    package internal(set) var lines = 0
    /// How many of them could not be read as events.
    package internal(set) var malformed = 0
    /// The first of them, by line number from 1; at most ``ParityReport/maximumExamples``.
    package internal(set) var malformedLines: [Int] = []

    /// Creates an empty stream.
    package init() {}
  }

  /// The most examples kept of anything.
  static let maximumExamples = 5

  /// How the pairs were found.
  package internal(set) var join: JoinRule
  /// By what events were judged that only one stream has.
  package internal(set) var membership: StreamMembership.Summary
  /// The old stream.
  package internal(set) var old = Stream()
  /// The new stream.
  package internal(set) var new = Stream()
  /// The events, sorted by old name.
  package internal(set) var events: [EventParity] = []
  /// Whether noise was measured and is taken off the mismatches.
  package internal(set) var isCalibrated = false

  /// Creates a report without events.
  package init(join: JoinRule, membership: StreamMembership.Summary = .everywhere) {
    (self.join, self.membership) = (join, membership)
  }
}

extension ParityReport {
  /// The counts of all events together, under the name `total`.
  package var total: EventParity {
    events.reduce(into: EventParity(name: "total", newName: "total")) { $0.add($1) }
  }

  /// The events with the largest share of failures first; those of which nothing was judged come last.
  var eventsByFailures: [EventParity] {
    events.sorted { left, right in
      // a/b > c/d as a·d > c·b in full width, so that neither rounding nor overflow decides the order.
      let leftShare = left.failing.multipliedFullWidth(by: max(right.judged, 1))
      let rightShare = right.failing.multipliedFullWidth(by: max(left.judged, 1))
      if (left.judged == 0) != (right.judged == 0) { return right.judged == 0 }
      return leftShare == rightShare ? left.name < right.name : leftShare > rightShare
    }
  }
}
