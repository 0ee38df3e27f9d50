/// A share that changes at given times.
public struct RolloutSchedule: Sendable, Hashable {
  /// One change.
  public struct Step: Sendable, Hashable {
    /// From when on, in milliseconds since 1970-01-01T00:00:00Z.
    public let from: Int64
    /// The share from then on.
    public let percentage: RolloutPercentage
  }

  /// The changes; at least one, strictly increasing in time.
  public let steps: [Step]

  /// The share in force; `nil` before the first step, and without a trusted time.
  public func percentage(at time: Int64?) -> RolloutPercentage? {
    guard let time else { return nil }
    return steps.last { $0.from <= time }?.percentage
  }
}
