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
