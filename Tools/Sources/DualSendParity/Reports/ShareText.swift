import Foundation

/// A share as a percentage, rounded to nearest with integer arithmetic.
///
/// A share above 0 never prints as 0, and a share below 100 % never as 100: with two decimals, these are `<0.01` and
/// `>99.99`.
package struct ShareText: Sendable, CustomStringConvertible {
  /// The digits and the unit: `12.34%`; `–` if the whole is 0.
  package let description: String

  /// - Parameters:
  ///   - part: clamped to `0...whole`.
  ///   - decimals: the number of digits after the point, at least 1.
  ///   - unit: the text after the digits.
  package init(_ part: Int, of whole: Int, decimals: Int, unit: String = "%") {
    guard whole > 0 else {
      description = "–"
      return
    }
    let part = min(max(part, 0), whole)
    let one = (0..<decimals).reduce(1) { power, _ in power * 10 }
    let (quotient, remainder) = whole.dividingFullWidth(part.multipliedFullWidth(by: 100 * one))
    let rounded = quotient + (remainder >= whole - remainder ? 1 : 0)
    func text(_ parts: Int) -> String { "\(parts / one)." + String(one + parts % one).dropFirst() + unit }
    switch rounded {
    case 0 where part > 0: description = "<" + text(1)
    case 100 * one where part < whole: description = ">" + text(100 * one - 1)
    default: description = text(rounded)
    }
  }
}
