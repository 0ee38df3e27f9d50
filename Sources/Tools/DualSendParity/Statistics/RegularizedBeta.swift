/// The regularised incomplete beta function Iₓ(a, b).
///
/// The continued fraction is DLMF 8.17.22 (https://dlmf.nist.gov/8.17.E22), evaluated by the method of Lentz, Thompson and
/// Barnett (Press et al., Numerical Recipes, 3rd edition, §6.4 and §5.2). It takes about √max(a, b) steps.
package struct RegularizedBeta {
  package let a: Double
  package let b: Double

  package init(a: Double, b: Double) {
    (self.a, self.b) = (a, b)
  }

  /// The value at `x`.
  ///
  /// - Parameters:
  ///   - x: within 0…1.
  ///   - complement: 1 - x, which a caller may know more exactly than subtraction would give it.
  package func value(at x: Double, complement: Double) -> Double {
    if x <= 0 { return 0 }
    if complement <= 0 { return 1 }
    let front = ReproducibleMath.exp(a * ReproducibleMath.log(x) + b * ReproducibleMath.log(complement) - logBeta)
    // The fraction converges quickly below the mean; the other side is reached by symmetry, 8.17.4.
    if x < (a + 1) / (a + b + 2) { return front * Self.fraction(a, b, x) / a }
    return 1 - front * Self.fraction(b, a, complement) / b
  }

  /// The logarithm of B(a, b) Iₓ(a, b) / (xᵃ (1 - x)ᵇ), which is a moderate number also where Iₓ is too small for a double.
  func logScaled(at x: Double, complement: Double) -> Double {
    if x < (a + 1) / (a + b + 2) { return ReproducibleMath.log(Self.fraction(a, b, x) / a) }
    let logFront = a * ReproducibleMath.log(x) + b * ReproducibleMath.log(complement) - logBeta
    let other = ReproducibleMath.exp(logFront) * Self.fraction(b, a, complement) / b
    return ReproducibleMath.log(max(1 - other, .leastNormalMagnitude)) - logFront
  }

  private var logBeta: Double { Self.logGamma(a) + Self.logGamma(b) - Self.logGamma(a + b) }

  private static func fraction(_ a: Double, _ b: Double, _ x: Double) -> Double {
    let tiny = Double.leastNormalMagnitude / Double.ulpOfOne
    func notZero(_ number: Double) -> Double { abs(number) < tiny ? tiny : number }
    var numerator = 1.0
    var denominator = 1 / notZero(1 - (a + b) * x / (a + 1))
    var result = denominator
    var step = 1.0
    var change = 0.0
    repeat {
      let even = step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step))
      denominator = 1 / notZero(1 + even * denominator)
      numerator = notZero(1 + even / numerator)
      result *= denominator * numerator
      let odd = -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1))
      denominator = 1 / notZero(1 + odd * denominator)
      numerator = notZero(1 + odd / numerator)
      change = denominator * numerator
      result *= change
      step += 1
    } while abs(change - 1) > tolerance && step < maximumSteps
    return result
  }

  /// A few units in the last place: rounding keeps the factor from being 1 exactly.
  private static let tolerance = 8 * Double.ulpOfOne
  /// Enough for a and b of 10¹², which is beyond what is counted.
  private static let maximumSteps = 10_000_000.0

  /// Stirling's series (DLMF 5.11.1), which is exact to a double from 10 on; smaller numbers are raised there first.
  private static func logGamma(_ number: Double) -> Double {
    var number = number
    var raised = 1.0
    while number < 10 {
      raised *= number
      number += 1
    }
    let inverse = 1 / (number * number)
    var series = 0.0
    for divisor in stirlingDivisors { series = series * inverse + 1 / divisor }
    let leading = (number - 0.5) * ReproducibleMath.log(number) - number + halfLogOfTwoPi
    return leading + series / number - ReproducibleMath.log(raised)
  }

  private static let halfLogOfTwoPi = 0.9189385332046727

  /// One by the coefficients of the series, the last one first.
  private static let stirlingDivisors: [Double] = [156, -360_360.0 / 691, 1188, -1680, 1260, -360, 12]
}
