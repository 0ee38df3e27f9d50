/// What a payload says about one metric.
public struct HealthReading: Sendable, Hashable {
  /// The forms that a metric has in a payload.
  public enum Value: Sendable, Hashable {
    /// A number of times.
    case count(Int64)
    /// A number with a unit.
    case quantity(HealthQuantity)
    /// A mean of several measurements.
    case average(HealthAverage)
    /// How often values fell into which range.
    case histogram(HealthHistogram)
  }

  /// The metric.
  public let metric: HealthMetric
  /// What is said about it.
  public let value: Value

  /// Creates a reading.
  public init(_ metric: HealthMetric, _ value: Value) {
    self.metric = metric
    self.value = value
  }
}

extension [HealthReading] {
  /// The value of a metric; `nil` if there is none.
  public func value(_ metric: HealthMetric) -> HealthReading.Value? {
    first { $0.metric == metric }?.value
  }

  /// The count of a metric that is counted.
  public func count(_ metric: HealthMetric) -> Int64? {
    if case .count(let count)? = value(metric) { count } else { nil }
  }

  /// The quantity of a metric that is measured once; the average itself of one that the system averages.
  public func quantity(_ metric: HealthMetric) -> HealthQuantity? {
    switch value(metric) {
    case .quantity(let quantity): quantity
    case .average(let average): average.average
    default: nil
    }
  }

  /// The average of a metric that the system averages.
  public func average(_ metric: HealthMetric) -> HealthAverage? {
    if case .average(let average)? = value(metric) { average } else { nil }
  }

  /// The histogram of a metric that is measured many times.
  public func histogram(_ metric: HealthMetric) -> HealthHistogram? {
    if case .histogram(let histogram)? = value(metric) { histogram } else { nil }
  }
}
