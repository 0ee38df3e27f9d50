import DualSendCore
public import Foundation

/// The value of one metric in a payload.
public struct HealthReading: Sendable, Hashable {
  /// The forms of a value.
  public enum Value: Sendable, Hashable {
    /// A count.
    case count(Int64)
    /// A number with a unit.
    case quantity(HealthQuantity)
    /// An average of several measurements.
    case average(HealthAverage)
    /// A histogram.
    case histogram(HealthHistogram)
  }

  /// The metric.
  public let metric: HealthMetric
  /// The value.
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

  /// The count of a metric, if it is a count.
  public func count(_ metric: HealthMetric) -> Int64? {
    if case .count(let count)? = value(metric) { count } else { nil }
  }

  /// The quantity of a metric, or the average of an averaged one.
  public func quantity(_ metric: HealthMetric) -> HealthQuantity? {
    switch value(metric) {
    case .quantity(let quantity): quantity
    case .average(let average): average.average
    default: nil
    }
  }

  /// The average of a metric, if it is averaged.
  public func average(_ metric: HealthMetric) -> HealthAverage? {
    if case .average(let average)? = value(metric) { average } else { nil }
  }

  /// The histogram of a metric, if it has one.
  public func histogram(_ metric: HealthMetric) -> HealthHistogram? {
    if case .histogram(let histogram)? = value(metric) { histogram } else { nil }
  }
}

/// Adds MetricKit's measurements, if present.
extension [HealthReading] {
  mutating func add(_ metric: HealthMetric, _ measurement: Measurement<some Unit>?) {
    if let measurement { append(HealthReading(metric, .quantity(HealthQuantity(measurement)))) }
  }

  mutating func add(_ metric: HealthMetric, count: Int?) {
    if let count { append(HealthReading(metric, .count(Int64(count)))) }
  }
}

/// An average of many measurements.
public struct HealthAverage: Sendable, Hashable {
  /// The average.
  public let average: HealthQuantity
  /// The standard deviation, in the same unit; `nil` if unknown.
  public let standardDeviation: Double?
  /// The number of measurements.
  public let sampleCount: Int64

  /// Creates an average. A negative deviation, which means unknown in MetricKit, becomes `nil`.
  public init(average: HealthQuantity, standardDeviation: Double?, sampleCount: Int64) {
    self.average = average
    self.standardDeviation = standardDeviation.flatMap { $0 < 0 ? nil : $0 }
    self.sampleCount = sampleCount
  }
}

// MARK: - Parameters

extension HealthReading {
  /// The reading as parameters, whose keys begin with the metric's key.
  var parameters: [String: EventValue] {
    let key = metric.key
    switch value {
    case .count(let count): return [key: .int(count)]
    case .quantity(let quantity): return quantity.parameters(key)
    case .average(let average):
      var parameters = average.average.parameters(key)
      parameters[key + "_samples"] = .int(average.sampleCount)
      parameters[key + "_deviation"] = average.standardDeviation.map { .double($0) }
      return parameters
    case .histogram(let histogram): return histogram.parameters(key)
    }
  }
}

extension HealthQuantity {
  /// The number and its unit, if any.
  func parameters(_ key: String) -> [String: EventValue] {
    var parameters: [String: EventValue] = [key: .double(value)]
    if unit != .none { parameters[key + "_unit"] = .string(unit.symbol) }
    return parameters
  }
}

extension HealthHistogram {
  fileprivate func parameters(_ key: String) -> [String: EventValue] {
    var parameters: [String: EventValue] = [key + "_count": .int(count)]
    if unit != .none { parameters[key + "_unit"] = .string(unit.symbol) }
    parameters[key + "_minimum"] = minimum.map { .double($0) }
    parameters[key + "_maximum"] = maximum.map { .double($0) }
    parameters[key + "_average"] = average.map { .double($0) }
    return parameters
  }
}

// MARK: - Health quantity

/// A number with its unit.
public struct HealthQuantity: Sendable, Hashable {
  /// The number, in ``unit``.
  public let value: Double
  /// The unit.
  public let unit: HealthUnit

  /// Creates a quantity.
  public init(_ value: Double, _ unit: HealthUnit) {
    self.value = value
    self.unit = unit
  }

  /// Creates a quantity from a measurement of MetricKit.
  ///
  /// A unit that ``HealthUnit`` does not define is converted: durations to seconds, storage to bytes. Other units keep
  /// their symbol.
  public init(_ measurement: Measurement<some Unit>) {
    let unit = measurement.unit as Unit
    if let known = HealthUnit(unit) {
      self.init(measurement.value, known)
    } else if let duration = unit as? UnitDuration {
      self.init(Measurement(value: measurement.value, unit: duration).converted(to: .seconds).value, .seconds)
    } else if let storage = unit as? UnitInformationStorage {
      self.init(Measurement(value: measurement.value, unit: storage).converted(to: .bytes).value, .bytes)
    } else {
      self.init(measurement.value, HealthUnit(dimension: .unknown, symbol: unit.symbol, scale: 1))
    }
  }

  /// The number in another unit; `nil` if its dimension differs.
  public func value(in other: HealthUnit) -> Double? {
    guard unit.canConvert(to: other) else { return nil }
    return unit == other ? value : value * unit.scale / other.scale
  }
}
