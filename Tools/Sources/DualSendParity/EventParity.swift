/// What the comparison found about one event.
package struct EventParity: Sendable, Hashable {
  /// The name in the old stream, or the new one where no event of the table has it.
  package let name: String
  /// The name that the table gives it.
  package let newName: String
  /// How many events both streams have.
  package internal(set) var pairs = 0
  /// How many pairs differ in a field or in the name, before noise is taken off.
  package internal(set) var differing = 0
  /// How many pairs have another new name than the table says.
  package internal(set) var renamed = 0
  /// How many differing pairs are expected from noise alone; 0 without calibration.
  package internal(set) var noise = 0
  /// How many events only the old stream has.
  package internal(set) var oldOnly = 0
  /// How many events only the new stream has.
  package internal(set) var newOnly = 0
  /// How many lines of the old stream repeat an event that is counted already.
  package internal(set) var oldDuplicates = 0
  /// How many lines of the new stream repeat an event that is counted already.
  package internal(set) var newDuplicates = 0
  /// Ids of events that only the old stream has.
  package internal(set) var oldOnlyExamples: [String] = []
  /// Ids of events that only the new stream has.
  package internal(set) var newOnlyExamples: [String] = []
  /// The fields, sorted by path.
  package internal(set) var fields: [FieldParity] = []

  init(name: String, newName: String) {
    self.name = name
    self.newName = newName
  }
}

extension EventParity {
  /// How many pairs differ beyond noise.
  package var mismatches: Int { max(0, differing - noise) }

  /// Whether so many pairs differ that the limit is passed, or nothing was compared: silence is no parity.
  package func exceeds(_ limit: MismatchLimit) -> Bool {
    pairs == 0 || limit.isExceeded(by: mismatches, of: pairs)
  }

  /// The fields that count against parity, the worst first.
  var worstFields: [FieldParity] {
    fields.filter { $0.mismatches > 0 }.sorted { ($1.mismatches, $0.path) < ($0.mismatches, $1.path) }
  }

  /// Whether not one line was counted: its only pair turned out to be malformed.
  var isEmpty: Bool {
    pairs + oldOnly + newOnly + oldDuplicates + newDuplicates == 0
  }

  mutating func add(_ other: EventParity) {
    pairs += other.pairs
    differing += other.differing
    renamed += other.renamed
    noise += other.noise
    oldOnly += other.oldOnly
    newOnly += other.newOnly
    oldDuplicates += other.oldDuplicates
    newDuplicates += other.newDuplicates
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
