/// Logarithm and exponential from additions, multiplications and divisions alone, which IEEE 754 defines to the bit.
///
/// The system's own differ in the last place from one C library to the next, and so would the bounds of a report
/// from one platform to another.
package enum ReproducibleMath {
  /// The natural logarithm of a number above 0, within two units in the last place.
  package static func log(_ number: Double) -> Double {
    var mantissa = number.significand
    var exponent = Double(number.exponent)
    if mantissa > squareRootOfTwo {
      mantissa /= 2
      exponent += 1
    }
    // 2 artanh((m - 1) / (m + 1)), DLMF 4.6.4, with an argument of at most 0.172.
    let argument = (mantissa - 1) / (mantissa + 1)
    let square = argument * argument
    var series = 0.0
    for divisor in stride(from: 23.0, through: 3, by: -2) { series = series * square + 1 / divisor }
    return exponent * logTwoHigh + (2 * argument + (2 * argument * square * series + exponent * logTwoLow))
  }

  /// The exponential function; 0 for what is too small for a double.
  package static func exp(_ number: Double) -> Double {
    if number < -745 { return 0 }
    let exponent = (number * 1.4426950408889634 + 0.5).rounded(.down)
    let rest = (number - exponent * logTwoHigh) - exponent * logTwoLow
    // The series of DLMF 4.2.19, from its last term on; the rest is at most half the logarithm of 2.
    var series = 1.0
    for divisor in stride(from: 15.0, through: 1, by: -1) { series = 1 + rest / divisor * series }
    let half = (exponent * 0.5).rounded(.down)
    return series * powerOfTwo(half) * powerOfTwo(exponent - half)
  }

  private static func powerOfTwo(_ exponent: Double) -> Double {
    Double(sign: .plus, exponent: Int(exponent), significand: 1)
  }

  private static let squareRootOfTwo = 1.4142135623730951
  /// The logarithm of 2 in two parts; the first has so few digits that its multiples are exact.
  private static let logTwoHigh = 6.93147180369123816490e-01
  private static let logTwoLow = 1.90821492927058770002e-10
}
