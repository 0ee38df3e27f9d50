/// The result of the comparison for one event.
package struct EventParity: Sendable, Hashable {
  /// The old name; for new events that no old name maps to, the new name.
  package let name: String
  /// The new name according to the table.
  package let newName: String
  private var counts = [Int](repeating: 0, count: ParityCount.number)
  // Ids of events as examples; see ``ParityExamples/all``.
  package internal(set) var oldOnlyExamples: [String] = []
  package internal(set) var newOnlyExamples: [String] = []
  package internal(set) var lostExamples: [String] = []
  package internal(set) var unexpectedExamples: [String] = []
  package internal(set) var contradictingExamples: [String] = []
  package internal(set) var conflictingExamples: [String] = []
  /// The fields, sorted by path.
  package internal(set) var fields: [FieldParity] = []

  /// The delays of pairs in which both events have a time.
  var delays = PairDelays()
  /// The units, if the comparison samples them. A saved report has only their ``unitTotals``.
  package internal(set) var units = UnitSample()
  /// Of a saved report.
  var savedTotals: UnitTotals?

  init(name: String, newName: String) {
    self.name = name
    self.newName = newName
  }

  /// An event all of whose judged events are pairs.
  package init(name: String, pairs: Int, differing: Int, units: UnitSample) {
    self.init(name: name, newName: name)
    self.units = units
    for count in [ParityCount.pairs, .judged] { self[count] = pairs }
    for count in [ParityCount.differingBeforeNoise, .failingBeforeNoise] { self[count] = differing }
  }

  package internal(set) subscript(count: ParityCount) -> Int {
    get { counts[count.rawValue] }
    set { counts[count.rawValue] = newValue }
  }

  mutating func count(_ verdict: MatchVerdict, by step: Int) {
    verdict.forEach { self[$0] += step }
  }

  // The counts by name; see ``ParityCount``.
  package var pairs: Int { self[.pairs] }
  package var differingBeforeNoise: Int { self[.differingBeforeNoise] }
  package var renamed: Int { self[.renamed] }
  package var noise: Int { self[.noise] }
  package var oldOnly: Int { self[.oldOnly] }
  package var newOnly: Int { self[.newOnly] }
  package var oldDuplicates: Int { self[.oldDuplicates] }
  package var newDuplicates: Int { self[.newDuplicates] }
  package var conflicting: Int { self[.conflicting] }
  package var lostFromNew: Int { self[.lostFromNew] }
  package var lostFromOld: Int { self[.lostFromOld] }
  package var lostBesideBroken: Int { self[.lostBesideBroken] }
  package var unexpectedInOld: Int { self[.unexpectedInOld] }
  package var unexpectedInNew: Int { self[.unexpectedInNew] }
  package var undecided: Int { self[.undecided] }
  package var withoutUnit: Int { self[.withoutUnit] }
  package var contradicting: Int { self[.contradicting] }
  package var judged: Int { self[.judged] }
  package var failingBeforeNoise: Int { self[.failingBeforeNoise] }
  package var uncompared: Int { self[.uncompared] }

  /// The number of differing pairs, without noise.
  package var differing: Int { max(0, differingBeforeNoise - noise) }

  /// How many events a stream lacks.
  package var lost: Int { lostFromNew + lostFromOld }

  /// The number of unexpected events. One that belongs in neither stream and is in both counts twice.
  package var unexpected: Int { unexpectedInOld + unexpectedInNew }

  /// The number of judged events that fail, without noise.
  package var failing: Int { max(0, failingBeforeNoise - noise) }

  package var unitTotals: UnitTotals? { savedTotals ?? units.totals }

  /// The fields with differences, most differences first.
  package var worstFields: [FieldParity] {
    fields.filter { $0.differences > 0 }.sorted { ($1.differences, $0.path) < ($0.differences, $1.path) }
  }

  /// Whether nothing was counted, because the only pair was malformed.
  var isEmpty: Bool {
    pairs + uncompared + oldOnly + newOnly + oldDuplicates + newDuplicates == 0
  }

  mutating func add(_ other: EventParity) {
    for count in ParityCount.allCases { self[count] += other[count] }
    delays.add(other.delays)
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
