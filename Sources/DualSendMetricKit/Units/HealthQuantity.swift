import DualSendCore

/// A number with its unit, read from a text such as `1,234 kB`.
public struct HealthQuantity: Sendable, Hashable {
  /// How sure it is that the number is the one that was meant.
  public enum Certainty: Sendable, Hashable {
    /// The text has one reading.
    case certain
    /// The text has two readings, and other texts of the payload, or the number format handed in, tell which is meant.
    case inferred
    /// The text has two readings and nothing tells which is meant: the separator was taken to group digits. A warning
    /// (DS0901) says where.
    case assumed
  }

  /// The number, in ``unit``.
  public let value: Double
  /// The unit.
  public let unit: HealthUnit
  /// The text it was read from.
  public let text: String
  /// How sure the number is.
  public let certainty: Certainty

  init(value: Double, unit: HealthUnit, text: String, certainty: Certainty = .certain) {
    self.value = value
    self.unit = unit
    self.text = text
    self.certainty = certainty
  }

  /// The number in another unit; `nil` if that measures something else.
  public func value(in other: HealthUnit) -> Double? {
    guard unit.canConvert(to: other) else { return nil }
    return unit == other ? value : value * unit.scale / other.scale
  }

  /// Whether both are the same; texts are if their UTF-8 bytes are.
  public static func == (left: HealthQuantity, right: HealthQuantity) -> Bool {
    left.value == right.value && left.unit == right.unit && left.certainty == right.certainty
      && left.text.isExactly(right.text)
  }
}
