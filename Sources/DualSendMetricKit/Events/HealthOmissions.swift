/// Counts everything that did not become an event, by reason.
public struct HealthOmissions: Sendable, Hashable {
  /// Events beyond the daily limit, by topic.
  public internal(set) var events: [HealthTopic: Int] = [:]
  /// Metrics below their threshold, including counts of zero and empty histograms.
  public internal(set) var belowThreshold = 0
  /// Metrics and diagnostics that are not selected.
  public internal(set) var notSelected = 0
  /// Payloads that cover several versions of the app.
  public internal(set) var payloadsOfSeveralVersions = 0
  /// Payloads of another or an unknown version of the app.
  public internal(set) var payloadsOfOtherVersions = 0
  /// Diagnostics of another or an unknown version of the app.
  public internal(set) var diagnosticsOfOtherVersions = 0
  /// Diagnostics without readable call stacks. These do become events.
  public internal(set) var callStacks = 0

  /// Creates counts of 0.
  public init() {}

  /// The number of events beyond the daily limit.
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
