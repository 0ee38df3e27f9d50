/// What the comparison found about one event.
package struct EventParity: Sendable, Hashable {
  /// The name in the old stream, or the new one where no event of the table has it.
  package let name: String
  /// The name that the table gives it.
  package let newName: String
  /// How many events both streams have.
  package internal(set) var pairs = 0
  /// How many pairs differ in a field or in the name, before noise is taken off.
  package internal(set) var differingBeforeNoise = 0
  /// How many pairs have another new name than the table says.
  package internal(set) var renamed = 0
  /// How many differing pairs are expected from noise alone; 0 without calibration.
  package internal(set) var noise = 0
  /// How many events only the old stream has.
  package internal(set) var oldOnly = 0
  /// How many events only the new stream has.
  package internal(set) var newOnly = 0
  /// How many events belong in the new stream and are not there.
  package internal(set) var lostFromNew = 0
  /// How many events belong in the old stream and are not there.
  package internal(set) var lostFromOld = 0
  /// How many events stand in the old stream, where they do not belong.
  package internal(set) var unexpectedInOld = 0
  /// How many events stand in the new stream, where they do not belong.
  package internal(set) var unexpectedInNew = 0
  /// How many events only one stream has, about which the revisions disagree that could have been in force. Not judged.
  package internal(set) var undecided = 0
  /// How many events only one stream has, where the rollout divides units and nothing says which unit the event is of.
  package internal(set) var withoutUnit = 0
  /// How many pairs and lone events say themselves where they belong, …
  package internal(set) var byStamp = 0
  /// … of how many a rollout document says it, …
  package internal(set) var byDocument = 0
  /// … and how many are judged by a rule that holds for all events.
  package internal(set) var byNothing = 0
  /// How many events carry a decision that their app cannot have made, or two different ones.
  package internal(set) var contradicting = 0
  /// How many events parity is judged by: every pair, and every event that is lost, unexpected or of an unknown unit.
  package internal(set) var judged = 0
  /// How many of them differ, or are lost, unexpected or of an unknown unit, before noise is taken off.
  package internal(set) var failingBeforeNoise = 0
  /// How many lines of the old stream repeat an event that is counted already.
  package internal(set) var oldDuplicates = 0
  /// How many lines of the new stream repeat an event that is counted already.
  package internal(set) var newDuplicates = 0
  /// Ids of events that only the old stream has.
  package internal(set) var oldOnlyExamples: [String] = []
  /// Ids of events that only the new stream has.
  package internal(set) var newOnlyExamples: [String] = []
  /// Ids of events that are lost from either stream.
  package internal(set) var lostExamples: [String] = []
  /// Ids of events that stand where they do not belong.
  package internal(set) var unexpectedExamples: [String] = []
  /// Ids of events whose decision is contradicted.
  package internal(set) var contradictingExamples: [String] = []
  /// The fields, sorted by path.
  package internal(set) var fields: [FieldParity] = []

  /// From the old event's time to the new one's, for each pair that has both.
  var delays = PairDelays()

  init(name: String, newName: String) {
    self.name = name
    self.newName = newName
  }
}

extension EventParity {
  /// How many pairs differ beyond noise.
  package var differing: Int { max(0, differingBeforeNoise - noise) }

  /// How many events a stream lacks.
  package var lost: Int { lostFromNew + lostFromOld }

  /// How many events stand where they do not belong; one that belongs in neither stream and stands in both counts twice.
  package var unexpected: Int { unexpectedInOld + unexpectedInNew }

  /// How many of the events that parity is judged by fail, beyond noise.
  package var failing: Int { max(0, failingBeforeNoise - noise) }

  /// The fields that count against parity, the worst first.
  package var worstFields: [FieldParity] {
    fields.filter { $0.mismatches > 0 }.sorted { ($1.mismatches, $0.path) < ($0.mismatches, $1.path) }
  }

  /// Whether not one line was counted: its only pair turned out to be malformed.
  var isEmpty: Bool {
    pairs + oldOnly + newOnly + oldDuplicates + newDuplicates == 0
  }

  mutating func add(_ other: EventParity) {
    for (_, count) in Self.counters { self[keyPath: count] += other[keyPath: count] }
    delays.add(other.delays)
  }
}

/// What a report says of an event's pairs besides counts. Every form of the report lists all measures.
package enum ParityMeasure: String, CaseIterable {
  /// The median of the milliseconds from the old event's time to the new one's.
  case medianDelay

  /// The heading of the measure's column.
  package var title: String {
    switch self {
    case .medianDelay: "median delay"
    }
  }

  /// The measure of an event with its unit; `–` if nothing was measured.
  package func text(of event: EventParity) -> String {
    switch self {
    case .medianDelay: event[self].map { "\($0) ms" } ?? "–"
    }
  }
}

extension EventParity {
  /// A measure, in whole units; `nil` if nothing was measured.
  package internal(set) subscript(measure: ParityMeasure) -> Int64? {
    get {
      switch measure {
      case .medianDelay: delays.median
      }
    }
    set {
      switch measure {
      case .medianDelay: delays = PairDelays(readMedian: newValue)
      }
    }
  }
}

/// What the comparison found about one field of one event.
package struct FieldParity: Sendable, Hashable {
  /// The place in the new payload, `[]` for any element of an array.
  package let path: String
  /// How often each outcome was met.
  package internal(set) var counts = FieldCounts()
  /// How many mismatches are expected from noise alone; 0 without calibration.
  package internal(set) var noise = 0
  /// Ids of events where the field differs, the smallest ones, so that every run names the same.
  package internal(set) var examples: [String] = []

  /// How many mismatches there are beyond noise.
  package var mismatches: Int { max(0, counts.mismatches - noise) }
}
