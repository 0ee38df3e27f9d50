/// How a field of the new payload compares with the expected one.
package enum FieldOutcome: String, Sendable, Hashable, CaseIterable {
  /// Both sides have equal values.
  case equal
  /// The field is expected, but the new payload does not have it.
  case missing
  /// The new payload has the field, but it is not expected.
  case extra
  /// The JSON types differ.
  case typeChanged
  /// The types are the same, the values differ.
  case valueChanged
  /// The field is excluded from the comparison. Not counted as equal.
  case ignored

  /// Whether the outcome counts against parity.
  var isDifference: Bool {
    switch self {
    case .equal, .ignored: false
    case .missing, .extra, .typeChanged, .valueChanged: true
    }
  }

  fileprivate var index: Int {
    switch self {
    case .equal: 0
    case .missing: 1
    case .extra: 2
    case .typeChanged: 3
    case .valueChanged: 4
    case .ignored: 5
    }
  }
}

/// The number of fields with each outcome.
package struct FieldCounts: Sendable, Hashable {
  private var counts = SIMD8<Int>()

  /// Creates counts that are all 0.
  package init() {}

  /// The count of an outcome.
  package internal(set) subscript(outcome: FieldOutcome) -> Int {
    get { counts[outcome.index] }
    set { counts[outcome.index] = newValue }
  }

  /// The number of comparisons: all outcomes except ``FieldOutcome/ignored``.
  package var compared: Int { self[.equal] + differences }

  /// The number of differences.
  package var differences: Int { self[.missing] + self[.extra] + self[.typeChanged] + self[.valueChanged] }
}
