import DualSendCore

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

// MARK: - Health budget

/// Limits the events of one day, by kind.
///
/// Diagnostics have reserved places, metrics the others. Each kind may borrow unused places of the other, but keeps its
/// own: the owner can still use its full number later, beyond the daily limit. A full metric payload therefore cannot
/// keep out a later crash, and no place is wasted.
struct HealthBudget: Sendable {
  /// How long a budget lasts from its first event. One hour less than a day, because MetricKit's daily delivery is
  /// sometimes a little early.
  static let duration = Duration.seconds(23 * 3_600)

  private let places: Counts
  private var taken = Counts()
  private var begin: Duration?

  /// Counts by kind.
  struct Counts: Sendable, Hashable {
    var diagnostics = 0
    var metrics = 0

    var sum: Int { diagnostics + metrics }
  }

  /// - Parameter forDiagnostics: how many places are reserved for diagnostics; at most all.
  init(places: Int, forDiagnostics: Int) {
    let diagnostics = min(max(forDiagnostics, 0), max(places, 0))
    self.places = Counts(diagnostics: diagnostics, metrics: max(places, 0) - diagnostics)
  }

  /// Takes places for events.
  ///
  /// - Parameters:
  ///   - wanted: the number of events.
  ///   - uptime: the current uptime, which does not depend on the device's date.
  /// - Returns: how many of them may be sent.
  mutating func take(_ wanted: Counts, at uptime: Duration) -> Counts {
    if let begin, uptime - begin >= Self.duration {
      taken = Counts()
      self.begin = nil
    }
    var granted = Counts(
      diagnostics: min(wanted.diagnostics, max(places.diagnostics - taken.diagnostics, 0)),
      metrics: min(wanted.metrics, max(places.metrics - taken.metrics, 0)))
    let lendable = max(places.sum - taken.sum - granted.sum, 0)
    let lent = min(wanted.diagnostics - granted.diagnostics, lendable)
    granted.diagnostics += lent
    granted.metrics += min(wanted.metrics - granted.metrics, lendable - lent)
    taken.diagnostics += granted.diagnostics
    taken.metrics += granted.metrics
    if begin == nil, granted.sum > 0 { begin = uptime }
    return granted
  }
}

// MARK: - Health threshold

/// The lowest value of a metric that is sent.
///
/// ```swift
/// selection.thresholds[.hangTime] = .atLeast(500, .milliseconds, of: .maximum)
/// selection.thresholds[.peakMemory] = .atLeast(300, .megabytes)
/// selection.thresholds[.exits(.background, .normal)] = .atLeast(10)
/// ```
public struct HealthThreshold: Sendable, Hashable {
  /// The number of a histogram to compare.
  public enum Statistic: Sendable, Hashable {
    /// How many values there are.
    case count
    /// The lowest value.
    case minimum
    /// The highest value.
    case maximum
    /// The mean of the values.
    case average
  }

  /// The threshold.
  public let value: Double
  /// Its unit.
  public let unit: HealthUnit
  /// The number of a histogram to compare.
  public let statistic: Statistic

  /// Creates a threshold.
  ///
  /// - Parameters:
  ///   - value: the lowest value that is sent.
  ///   - unit: its unit; none for counts.
  ///   - statistic: the number of a histogram to compare; a count has no unit.
  public static func atLeast(
    _ value: Double, _ unit: HealthUnit = .none, of statistic: Statistic = .maximum
  ) -> HealthThreshold {
    HealthThreshold(value: value, unit: unit, statistic: statistic)
  }

  /// The default for counts and histograms: not empty.
  static let anything = HealthThreshold.atLeast(1, of: .count)

  /// Whether a value reaches the threshold. A value with an unknown or incompatible unit does.
  func admits(_ reading: HealthReading.Value) -> Bool {
    let number: Double? =
      switch reading {
      case .count(let count): Double(count)
      case .quantity(let quantity): quantity.value(in: unit)
      case .average(let average): average.average.value(in: unit)
      case .histogram(let histogram): self.number(histogram)
      }
    return number.map { $0 >= value } ?? true
  }

  private func number(_ histogram: HealthHistogram) -> Double? {
    if statistic == .count { return Double(histogram.count) }
    let number: Double? =
      switch statistic {
      case .count: nil
      case .minimum: histogram.minimum
      case .maximum: histogram.maximum
      case .average: histogram.average
      }
    // An empty histogram is below every threshold.
    guard let number else { return -.infinity }
    guard histogram.unit.canConvert(to: unit) else { return nil }
    return HealthQuantity(number, histogram.unit).value(in: unit)
  }
}
