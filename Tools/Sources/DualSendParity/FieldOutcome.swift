/// What became of one field between the old payload and the new one.
package enum FieldOutcome: String, Sendable, Hashable, CaseIterable {
  /// Both sides have it and say the same.
  case equal
  /// It should be there and is not.
  case missing
  /// It is there and should not be.
  case extra
  /// Its JSON type is another one.
  case typeChanged
  /// Its type is the same, its value another one.
  case valueChanged
  /// It was not compared because somebody asked for that; never counted as equal.
  case ignored

  /// Whether the field counts against parity.
  var isMismatch: Bool {
    switch self {
    case .equal, .ignored: false
    case .missing, .extra, .typeChanged, .valueChanged: true
    }
  }
}

/// How often each outcome was met.
package struct FieldCounts: Sendable, Hashable {
  private var equal = 0
  private var missing = 0
  private var extra = 0
  private var typeChanged = 0
  private var valueChanged = 0
  private var ignored = 0

  /// Creates counts of zero.
  package init() {}

  /// How often one outcome was met.
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

  /// How often the field was compared: everything but ignored.
  package var compared: Int { equal + mismatches }

  /// How often the field counted against parity.
  package var mismatches: Int { missing + extra + typeChanged + valueChanged }
}
