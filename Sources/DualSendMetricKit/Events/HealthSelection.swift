/// Which metrics become events, from which value on, and which first.
public struct HealthSelection: Sendable {
  /// The topics that become events; by default all.
  public var topics = Set(HealthTopic.allCases)
  /// Metrics that are left out of their topic's events; by default none.
  public var excludedMetrics: Set<HealthMetric> = []
  /// From which value on a metric is sent. Counts and histograms without one are sent if there is anything in them,
  /// everything else always. An event of which no metric is left is not sent.
  public var thresholds: [HealthMetric: HealthThreshold] = [:]
  /// Whose events come first, where it is not as ``HealthTopic/defaultPriority`` says.
  public var priorities: [HealthTopic: HealthPriority] = [:]
  /// The most frames of a call stack that an event carries; the others are counted in it.
  public var maximumFrames = 32
  /// The longest JSON of a diagnostic that its event carries, in bytes; by default 0, so that no event carries it.
  ///
  /// The JSON has every thread's call stack, for a collector that symbolicates, and may hold an exception's message,
  /// which the app composed. Keep it below the tracker's `maximumEventBytes`.
  public var maximumJSONBytes = 0

  /// Everything, with no threshold.
  public init() {}

  /// The priority of a topic's events.
  func priority(_ topic: HealthTopic) -> HealthPriority {
    priorities[topic] ?? topic.defaultPriority
  }

  /// What a metric's value comes to.
  func verdict(_ reading: HealthReading) -> Verdict {
    if !topics.contains(reading.metric.topic) || excludedMetrics.contains(reading.metric) { return .notSelected }
    if let threshold = thresholds[reading.metric] { return threshold.admits(reading.value) ? .sent : .belowThreshold }
    switch reading.value {
    case .count, .histogram: return HealthThreshold.anything.admits(reading.value) ? .sent : .belowThreshold
    default: return .sent
    }
  }

  /// Whether a metric is sent, or why not.
  enum Verdict {
    case sent, belowThreshold, notSelected
  }
}
