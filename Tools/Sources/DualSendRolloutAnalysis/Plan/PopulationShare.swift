import DualSendRollout

/// A share of all units in parts of 10,000,000,000, so that a bucket and a pair of buckets are whole numbers.
public struct PopulationShare: Sendable, Hashable, Comparable {
  /// The number of parts, which is the number of pairs of buckets.
  public static let count = RolloutBucket.count * RolloutBucket.count
  /// No units.
  public static let none = PopulationShare(parts: 0)

  /// The parts, `0...10_000_000_000`.
  public let parts: Int

  init(parts: Int) {
    self.parts = parts
  }

  init(buckets: Int) {
    parts = buckets * RolloutBucket.count
  }

  /// The share as a fraction of 1.
  public var fraction: Double { Double(parts) / Double(Self.count) }

  /// Orders by size.
  public static func < (left: PopulationShare, right: PopulationShare) -> Bool {
    left.parts < right.parts
  }

  /// The share of two disjoint groups of units.
  public static func + (left: PopulationShare, right: PopulationShare) -> PopulationShare {
    PopulationShare(parts: left.parts + right.parts)
  }
}

extension PopulationShare: CustomStringConvertible {
  /// The exact decimal form: `5 %`, `0.00000001 %`.
  public var description: String {
    let (whole, fraction) = parts.quotientAndRemainder(dividingBy: Self.count / 100)
    guard fraction > 0 else { return "\(whole) %" }
    var digits = String(Self.count / 100 + fraction).dropFirst()
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(whole).\(digits) %"
  }
}
