import DualSendCore
import DualSendRemapping

@testable import DualSendParity

/// One field of two payloads: where it stands and what became of it. Never holds the values.
struct FieldComparison: Sendable, Hashable {
  /// Where the field stands in the new payload, or should stand.
  let path: EventPath
  /// What became of it.
  let outcome: FieldOutcome
}

/// Two payloads compared field by field: what was expected, and what is there.
struct PayloadComparison: Sendable, Hashable {
  /// Every field, sorted by path.
  let fields: [FieldComparison]

  /// Compares two payloads.
  ///
  /// - Parameter ignored: paths whose values are not compared; each is listed as ignored where it stands.
  init(
    expected: [String: EventValue], actual: [String: EventValue], ignoring ignored: [KeyPathPattern] = []
  ) {
    var visitor = Collector()
    var rules = Normalisation()
    rules.ignored = ignored
    PayloadComparer(rules).compare(expected: expected, actual: actual, visitor: &visitor)
    fields = visitor.fields.sorted { $0.path < $1.path }
  }

  /// Whether no field counts against parity.
  var isMatch: Bool { differences.isEmpty }

  /// The fields that count against parity, sorted by path.
  var differences: [FieldComparison] { fields.filter(\.outcome.isDifference) }

  /// How often each outcome was met.
  var counts: FieldCounts {
    var counts = FieldCounts()
    for field in fields { counts[field.outcome] += 1 }
    return counts
  }

  private struct Collector: FieldVisitor {
    var fields: [FieldComparison] = []

    var root: EventPath { EventPath() }
    func member(_ key: String, of place: EventPath) -> EventPath { place.appending(key) }
    func element(_ index: Int, of place: EventPath) -> EventPath { place.appending(index) }
    mutating func record(_ outcome: FieldOutcome, at place: EventPath) {
      fields.append(FieldComparison(path: place, outcome: outcome))
    }
  }
}
