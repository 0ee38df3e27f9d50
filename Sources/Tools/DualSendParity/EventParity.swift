/// The result of the comparison for one event.
package struct EventParity: Sendable, Hashable {
  /// The old name; for new events that no old name maps to, the new name.
  package let name: String
  /// The new name according to the table.
  package let newName: String
  /// The number of events in both streams.
  package internal(set) var pairs = 0
  /// The number of pairs that differ in a field or in the name, before noise is subtracted.
  package internal(set) var differingBeforeNoise = 0
  /// The number of pairs whose new name differs from the table's.
  package internal(set) var renamed = 0
  /// The number of differing pairs expected from noise alone; 0 without calibration.
  package internal(set) var noise = 0
  /// The number of events that only the old stream has.
  package internal(set) var oldOnly = 0
  /// The number of events that only the new stream has.
  package internal(set) var newOnly = 0
  /// The number of events that should be in the new stream but are not.
  package internal(set) var lostFromNew = 0
  /// The number of events that should be in the old stream but are not.
  package internal(set) var lostFromOld = 0
  /// The number of events that are in the old stream but should not be.
  package internal(set) var unexpectedInOld = 0
  /// The number of events that are in the new stream but should not be.
  package internal(set) var unexpectedInNew = 0
  /// The number of events in one stream whose possible revisions disagree. Not judged.
  package internal(set) var undecided = 0
  /// The number of events in one stream whose unit is unknown, and whose rollout depends on the unit.
  package internal(set) var withoutUnit = 0
  /// The number of pairs and unpaired events judged by the decision they carry.
  package internal(set) var byDecision = 0
  /// The number judged by a rollout document.
  package internal(set) var byDocument = 0
  /// The number judged by neither.
  package internal(set) var byNothing = 0
  /// The number of events with a decision that their app cannot have made, or with two different decisions.
  package internal(set) var contradicting = 0
  /// The number of events that parity is judged by: all pairs, and all events that are lost, unexpected or without a unit.
  package internal(set) var judged = 0
  /// The number of judged events that differ, or are lost, unexpected or without a unit, before noise is subtracted.
  package internal(set) var failingBeforeNoise = 0
  /// The number of lines of the old stream that repeat an event.
  package internal(set) var oldDuplicates = 0
  /// The number of lines of the new stream that repeat an event.
  package internal(set) var newDuplicates = 0
  /// The number of these lines, of both streams, whose name or payload is not that of the first line with their id.
  package internal(set) var conflicting = 0
  /// Examples: ids of events that only the old stream has.
  package internal(set) var oldOnlyExamples: [String] = []
  /// Examples: ids of events that only the new stream has.
  package internal(set) var newOnlyExamples: [String] = []
  /// Examples: ids of lost events.
  package internal(set) var lostExamples: [String] = []
  /// Examples: ids of unexpected events.
  package internal(set) var unexpectedExamples: [String] = []
  /// Examples: ids of events with a contradicted decision.
  package internal(set) var contradictingExamples: [String] = []
  /// Examples: ids that lines with different contents have.
  package internal(set) var conflictingExamples: [String] = []
  /// The fields, sorted by path.
  package internal(set) var fields: [FieldParity] = []

  /// The number of pairs that were not compared, in a comparison that runs beside the app; not part of a saved report.
  package internal(set) var uncompared = 0
  /// The delays of pairs in which both events have a time.
  var delays = PairDelays()
  /// One event of each unit, if the comparison samples units; not part of a saved report.
  package internal(set) var units = UnitSample()

  init(name: String, newName: String) {
    self.name = name
    self.newName = newName
  }

  /// An event all of whose judged events are pairs.
  package init(name: String, pairs: Int, differing: Int, units: UnitSample) {
    self.init(name: name, newName: name)
    (self.pairs, judged, self.units) = (pairs, pairs, units)
    (differingBeforeNoise, failingBeforeNoise) = (differing, differing)
  }
}

extension EventParity {
  /// The number of differing pairs, without noise.
  package var differing: Int { max(0, differingBeforeNoise - noise) }

  /// How many events a stream lacks.
  package var lost: Int { lostFromNew + lostFromOld }

  /// The number of unexpected events. One that belongs in neither stream and is in both counts twice.
  package var unexpected: Int { unexpectedInOld + unexpectedInNew }

  /// The number of judged events that fail, without noise.
  package var failing: Int { max(0, failingBeforeNoise - noise) }

  /// The fields with differences, most differences first.
  package var worstFields: [FieldParity] {
    fields.filter { $0.differences > 0 }.sorted { ($1.differences, $0.path) < ($0.differences, $1.path) }
  }

  /// Whether nothing was counted, because the only pair was malformed.
  var isEmpty: Bool {
    pairs + uncompared + oldOnly + newOnly + oldDuplicates + newDuplicates == 0
  }

  mutating func add(_ other: EventParity) {
    for (_, count) in Self.counters { self[keyPath: count] += other[keyPath: count] }
    delays.add(other.delays)
    units.merge(other.units)
    uncompared += other.uncompared
  }
}

/// A measure of an event's pairs besides counts. Every format of the report lists all measures.
package enum ParityMeasure: String, CaseIterable {
  /// The median delay from the old event's time to the new event's, in milliseconds.
  case medianDelay
  /// The delay that 999 of 1,000 pairs do not exceed, in milliseconds: how late a line may be for a bound of 0.1 %.
  case lateDelay

  /// The heading of the measure's column.
  package var title: String {
    switch self {
    case .medianDelay: "median delay"
    case .lateDelay: "99.9 % delay"
    }
  }

  /// The value with its unit; `–` if nothing was measured.
  package func text(of event: EventParity) -> String {
    event[self].map { "\($0) ms" } ?? "–"
  }
}

extension EventParity {
  /// The value of a measure; `nil` if nothing was measured.
  package internal(set) subscript(measure: ParityMeasure) -> Int64? {
    get {
      switch measure {
      case .medianDelay: delays.median
      case .lateDelay: delays.late
      }
    }
    set {
      switch measure {
      case .medianDelay: delays.read.median = .some(newValue)
      case .lateDelay: delays.read.late = .some(newValue)
      }
    }
  }
}

/// The result of the comparison for one field of one event.
package struct FieldParity: Sendable, Hashable {
  /// The path in the new payload; `[]` for all elements of an array.
  package let path: String
  /// The count of each outcome.
  package internal(set) var counts = FieldCounts()
  /// The number of differences expected from noise alone; 0 without calibration.
  package internal(set) var noise = 0
  /// Ids of events in which the field differs: the smallest, so that every run names the same.
  package internal(set) var examples: [String] = []

  /// The number of differences, without noise.
  package var differences: Int { max(0, counts.differences - noise) }
}
