/// A share that changes at set times.
public struct RolloutSchedule: Sendable, Hashable {
  /// A change of the share.
  public struct Step: Sendable, Hashable {
    /// The time of the change, in milliseconds since 1970-01-01T00:00:00Z.
    public let from: Int64
    /// The share from that time on.
    public let percentage: RolloutPercentage
  }

  /// The steps: at least one, strictly increasing in time.
  public let steps: [Step]

  /// The share at a time; `nil` before the first step, and without a trusted time.
  public func percentage(at time: Int64?) -> RolloutPercentage? {
    guard let time else { return nil }
    return steps.last { $0.from <= time }?.percentage
  }
}
