/// From which value on a metric is worth an event.
///
/// ```swift
/// selection.thresholds[.hangTime] = .atLeast(500, .milliseconds, of: .maximum)
/// selection.thresholds[.peakMemory] = .atLeast(300, .megabytes)
/// selection.thresholds[.exits(.background, .normal)] = .atLeast(10)
/// ```
public struct HealthThreshold: Sendable, Hashable {
  /// Which number of a histogram is compared. Of everything else there is one.
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

  /// The lowest number that is sent.
  public let value: Double
  /// Its unit.
  public let unit: HealthUnit
  /// Which number of a histogram is compared.
  public let statistic: Statistic

  /// A threshold.
  ///
  /// - Parameters:
  ///   - value: the lowest number that is sent.
  ///   - unit: its unit; for counts there is none.
  ///   - statistic: which number of a histogram is compared; a count has no unit.
  public static func atLeast(
    _ value: Double, _ unit: HealthUnit = .none, of statistic: Statistic = .maximum
  ) -> HealthThreshold {
    HealthThreshold(value: value, unit: unit, statistic: statistic)
  }

  /// What holds for counts and histograms without a threshold of their own: nothing happened, so nothing is sent.
  static let anything = HealthThreshold.atLeast(1, of: .count)

  /// Whether a value is worth an event. What cannot be compared is: a unit that is not known or measures something
  /// else.
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
    // Nothing was measured: below every threshold.
    guard let number else { return -.infinity }
    guard histogram.unit.canConvert(to: unit) else { return nil }
    return HealthQuantity(number, histogram.unit).value(in: unit)
  }
}
