/// Finds unit IDs that land in given buckets: the first of `unit-0`, `unit-1`, …
public struct UnitFinder {
  /// With one bucket wanted of 100,000, two million tries fail with probability e⁻²⁰.
  private static let tries = 2_000_000
  /// A check hashes and decides; that takes as long as looking at so many units' buckets.
  private static let costOfCheck = 50

  let bucketing: RolloutBucketing
  /// How many units may still be looked at in all searches together.
  private var remainingTries: Int
  /// The buckets of the units that were hashed so far.
  private var buckets: [Int32] = []

  /// - Parameter tries: how many units all searches together may look at; two hundred million take about a second.
  public init(bucketing: RolloutBucketing, tries: Int = .max) {
    self.bucketing = bucketing
    remainingTries = tries
  }

  /// The first unit whose bucket is wanted and that passes a check; `nil` if there is none, or no try is left.
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

  /// A context of a cell whose unit lands in one of these buckets and that passes a check; `nil` if there is none.
  public mutating func context(
    of cell: ContextCell, in wanted: Range<Int>, where check: (String) -> Bool
  ) -> DecisionContext? {
    let found =
      switch cell.units {
      case .everyone: unit(in: wanted, where: check)
      case .named(let ids): ids.first { wanted.contains(bucketing.bucket(of: $0).index) && check($0) }
      }
    guard let found else { return nil }
    var context = cell.example
    context.unitID = found
    return context
  }

  private mutating func bucket(ofUnit number: Int) -> Int {
    while buckets.count <= number {
      buckets.append(Int32(bucketing.bucket(of: "unit-\(buckets.count)").index))
    }
    return Int(buckets[number])
  }
}
