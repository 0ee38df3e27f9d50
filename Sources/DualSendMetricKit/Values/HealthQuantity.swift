public import Foundation

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
