/// What became of one field between the old payload and the new one.
public enum FieldOutcome: String, Sendable, Hashable, CaseIterable {
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
  public var isMismatch: Bool {
    switch self {
    case .equal, .ignored: false
    case .missing, .extra, .typeChanged, .valueChanged: true
    }
  }
}

/// How often each outcome was met.
public struct FieldCounts: Sendable, Hashable {
  private var counts = [Int](repeating: 0, count: FieldOutcome.allCases.count)

  /// Creates counts of zero.
  public init() {}

  /// How often one outcome was met.
  public internal(set) subscript(outcome: FieldOutcome) -> Int {
    get { counts[outcome.position] }
    set { counts[outcome.position] = newValue }
  }

  /// How often the field was compared: everything but ignored.
  public var compared: Int { counts.reduce(0, +) - self[.ignored] }

  /// How often the field counted against parity.
  public var mismatches: Int { compared - self[.equal] }
}

extension FieldOutcome {
  fileprivate var position: Int {
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
