public import DualSendRollout

/// Searches `unit-0`, `unit-1`, … for unit IDs in given buckets.
public struct UnitFinder {
  /// The tries of one search. For a single bucket, two million tries fail with probability e⁻²⁰.
  private static let tries = 2_000_000
  /// The cost of a check, in tries.
  private static let costOfCheck = 50

  let bucketing: RolloutBucketing
  /// The remaining tries of all searches.
  private var remainingTries: Int
  /// The buckets of the units that were hashed so far.
  private var buckets: [Int32] = []

  /// - Parameters:
  ///   - bucketing: computes the units' buckets.
  ///   - tries: the tries of all searches; two hundred million take about a second.
  public init(bucketing: RolloutBucketing, tries: Int = .max) {
    self.bucketing = bucketing
    remainingTries = tries
  }

  /// The first unit in the wanted buckets that passes a check; `nil` if there is none or no tries remain.
  mutating func unit(in wanted: Range<Int>, where check: (String) -> Bool) -> String? {
    guard !wanted.isEmpty else { return nil }
    for number in 0..<Self.tries where remainingTries > 0 {
      remainingTries -= 1
      guard wanted.contains(bucket(ofUnit: number)) else { continue }
      remainingTries -= Self.costOfCheck
      let id = "unit-\(number)"
      if check(id) { return id }
    }
    return nil
  }

  /// A context of a cell with a unit in the wanted buckets that passes a check; `nil` if none is found.
  public mutating func context(
    of cell: ContextCell, in wanted: Range<Int>, where check: (String) -> Bool
  ) -> DecisionContext? {
    let found =
      switch cell.units {
      case .everyone: unit(in: wanted, where: check)
      case .named(let ids): ids.first { wanted.contains(bucketing.bucket(of: $0).index) && check($0) }
      }
    return found.map { cell.example(unit: $0) }
  }

  private mutating func bucket(ofUnit number: Int) -> Int {
    while buckets.count <= number {
      buckets.append(Int32(bucketing.bucket(of: "unit-\(buckets.count)").index))
    }
    return Int(buckets[number])
  }
}
