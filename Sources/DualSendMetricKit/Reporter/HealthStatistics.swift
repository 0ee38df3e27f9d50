/// What a reporter did so far.
public struct HealthStatistics: Sendable, Hashable {
  /// Events that were sent.
  public internal(set) var events = 0
  /// What did not become an event.
  public internal(set) var omissions = HealthOmissions()

  /// Creates counts of nothing.
  public init() {}
}
