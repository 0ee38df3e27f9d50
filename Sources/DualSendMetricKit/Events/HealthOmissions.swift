/// What did not become an event, and why. Nothing is left out that is not counted here.
public struct HealthOmissions: Sendable, Hashable {
  /// Events that had no place in the day's budget, by topic.
  public internal(set) var events: [HealthTopic: Int] = [:]
  /// Metrics below their threshold, counts of zero and histograms without a measurement among them.
  public internal(set) var belowThreshold = 0
  /// Metrics and diagnostics that the selection leaves out.
  public internal(set) var notSelected = 0
  /// Payloads that cover an update of the app.
  public internal(set) var payloadsOfSeveralVersions = 0
  /// Payloads of another version of the app than the one asked for, or that do not say of which.
  public internal(set) var payloadsOfOtherVersions = 0
  /// Diagnostics of another version of the app, or that do not say of which.
  public internal(set) var diagnosticsOfOtherVersions = 0
  /// Diagnostics whose call stacks are not there, or could not be read. These did become events.
  public internal(set) var callStacks = 0

  /// Creates counts of nothing.
  public init() {}

  /// How many events did not fit.
  public var eventCount: Int {
    events.values.reduce(0, +)
  }

  static func += (left: inout HealthOmissions, right: HealthOmissions) {
    left.events.merge(right.events, uniquingKeysWith: +)
    left.belowThreshold += right.belowThreshold
    left.notSelected += right.notSelected
    left.payloadsOfSeveralVersions += right.payloadsOfSeveralVersions
    left.payloadsOfOtherVersions += right.payloadsOfOtherVersions
    left.diagnosticsOfOtherVersions += right.diagnosticsOfOtherVersions
    left.callStacks += right.callStacks
  }
}
