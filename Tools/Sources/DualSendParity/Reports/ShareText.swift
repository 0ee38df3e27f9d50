import Foundation

/// A part of a whole as a percentage, rounded to nearest, in integers.
///
/// What is not nothing never prints as nothing, and what is not all never as all: those are `<0.01` and `>99.99`.
package struct ShareText: Sendable, CustomStringConvertible {
  /// The digits and the unit: `12.34%`; a dash for a part of nothing.
  package let description: String

  /// - Parameters:
  ///   - part: at least 0; what is above `whole` counts as all of it.
  ///   - decimals: how many digits follow the point, at least 1.
  ///   - unit: what follows the digits.
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
