/// Selects the metrics that become events, with thresholds and priorities.
public struct HealthSelection: Sendable {
  /// The topics to report; all by default.
  public var topics = Set(HealthTopic.allCases)
  /// Metrics to omit; none by default.
  public var excludedMetrics: Set<HealthMetric> = []
  /// The thresholds by metric. Without one, counts and histograms are sent if they are not empty, and other metrics
  /// always. An event without any remaining metric is not sent.
  public var thresholds: [HealthMetric: HealthThreshold] = [:]
  /// Priorities that differ from ``HealthTopic/defaultPriority``.
  public var priorities: [HealthTopic: HealthPriority] = [:]
  /// The most frames of a call stack in an event. The event counts the others.
  public var maximumFrames = 32
  /// The largest diagnostic JSON to include in an event, in bytes; 0 by default, for none.
  ///
  /// The JSON has the call stacks of all threads, for a collector that symbolicates. It may hold an exception's
  /// message, which may contain the app's data. Keep it below the tracker's `maximumEventBytes`.
  public var maximumJSONBytes = 0

  /// Selects everything, without thresholds.
  public init() {}

  /// The priority of a topic's events.
  func priority(_ topic: HealthTopic) -> HealthPriority {
    priorities[topic] ?? topic.defaultPriority
  }

  /// Whether to send a metric.
  func verdict(_ reading: HealthReading) -> Verdict {
    if !topics.contains(reading.metric.topic) || excludedMetrics.contains(reading.metric) { return .notSelected }
    if let threshold = thresholds[reading.metric] { return threshold.admits(reading.value) ? .sent : .belowThreshold }
    switch reading.value {
    case .count, .histogram: return HealthThreshold.anything.admits(reading.value) ? .sent : .belowThreshold
    default: return .sent
    }
  }

  /// Whether a metric is sent, or why it is not.
  enum Verdict {
    case sent, belowThreshold, notSelected
  }
}

/// The order in which events are sent if there are too many.
public enum HealthPriority: Int, Sendable, Hashable, CaseIterable, Comparable {
  /// Sent first.
  case high
  /// Sent before low priority.
  case normal
  /// Sent last.
  case low

  /// Higher priorities come first.
  public static func < (left: HealthPriority, right: HealthPriority) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension HealthTopic {
  /// The default priority of the topic's events: high for diagnostics and exits, normal for responsiveness and memory,
  /// low for energy use and everything else.
  public var defaultPriority: HealthPriority {
    switch self {
    case .crash, .hang, .slowLaunch, .cpuException, .diskWriteException, .foregroundExits, .backgroundExits: .high
    case .hangTime, .animation, .timeToFirstDraw, .optimizedTimeToFirstDraw, .resume, .extendedLaunch, .memory,
      .signpost:
      .normal
    case .cpu, .gpu, .diskWrites, .diskSpace, .network, .cellular, .location, .runTime, .display: .low
    }
  }
}
