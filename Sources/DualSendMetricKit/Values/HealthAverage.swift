/// An average that the system made of many measurements.
public struct HealthAverage: Sendable, Hashable {
  /// The average.
  public let average: HealthQuantity
  /// The standard deviation, in the same unit; `nil` if the system does not know it.
  public let standardDeviation: Double?
  /// How many measurements there were.
  public let sampleCount: Int64

  /// Creates an average. A negative deviation, MetricKit's mark for unknown, becomes `nil`.
  public init(average: HealthQuantity, standardDeviation: Double?, sampleCount: Int64) {
    self.average = average
    self.standardDeviation = standardDeviation.flatMap { $0 < 0 ? nil : $0 }
    self.sampleCount = sampleCount
  }
}
