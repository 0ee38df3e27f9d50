import Foundation

/// Takes what MetricKit measured, if it did.
extension [HealthReading] {
  mutating func add(_ metric: HealthMetric, _ measurement: Measurement<some Unit>?) {
    if let measurement { append(HealthReading(metric, .quantity(HealthQuantity(measurement)))) }
  }

  mutating func add(_ metric: HealthMetric, count: Int?) {
    if let count { append(HealthReading(metric, .count(Int64(count)))) }
  }
}
