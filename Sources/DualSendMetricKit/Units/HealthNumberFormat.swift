public import Foundation

/// How the device writes numbers, to tell `1,234` from `1.234` where a payload's own texts do not.
///
/// ```swift
/// reporter.receive(metricPayloads: payloads, numberFormat: HealthNumberFormat(locale: .current))
/// ```
public struct HealthNumberFormat: Sendable, Hashable {
  /// What stands before a fraction.
  public let decimalSeparator: String
  /// What stands between groups of digits.
  public let groupingSeparator: String

  /// Creates a format.
  public init(decimalSeparator: String, groupingSeparator: String) {
    self.decimalSeparator = decimalSeparator
    self.groupingSeparator = groupingSeparator
  }

  /// The format of a locale; a separator that the locale does not name is empty, and decides nothing.
  public init(locale: Locale) {
    self.init(
      decimalSeparator: locale.decimalSeparator ?? "", groupingSeparator: locale.groupingSeparator ?? "")
  }
}
