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
}

/// The number of fields with each outcome.
package struct FieldCounts: Sendable, Hashable {
  private var equal = 0
  private var missing = 0
  private var extra = 0
  private var typeChanged = 0
  private var valueChanged = 0
  private var ignored = 0

  /// Creates counts that are all 0.
  package init() {}

  /// The count of an outcome.
  package internal(set) subscript(outcome: FieldOutcome) -> Int {
    get {
      switch outcome {
      case .equal: equal
      case .missing: missing
      case .extra: extra
      case .typeChanged: typeChanged
      case .valueChanged: valueChanged
      case .ignored: ignored
      }
    }
    set {
      switch outcome {
      case .equal: equal = newValue
      case .missing: missing = newValue
      case .extra: extra = newValue
      case .typeChanged: typeChanged = newValue
      case .valueChanged: valueChanged = newValue
      case .ignored: ignored = newValue
      }
    }
  }

  /// The number of comparisons: all outcomes except ``FieldOutcome/ignored``.
  package var compared: Int { equal + differences }

  /// The number of differences.
  package var differences: Int { missing + extra + typeChanged + valueChanged }
}
