/// The Clopper–Pearson bound as SQL expressions, equal to that of `dualsend parity` to the last bit.
///
/// Uses only operations that IEEE 754 defines exactly, because the logarithms of engines differ in the last place.
struct BoundExpressions {
  let dialect: any SQLDialect

  /// ln B(a, b).
  func logBeta(_ a: String, _ b: String) -> String {
    "\(logGamma(a)) + \(logGamma(b)) - \(logGamma("(\(a) + \(b))"))"
  }

  /// The upper bound of the share of failures, by bisection to the last bit.
  func upper(_ a: String, _ b: String, share: String, risk: String, logBeta: String) -> String {
    let last = dialect.fold(
      dialect.numbers(from: "1", through: "110"), item: "bisection", into: "bracket", from: bracket(share, "1e0")
    ) { bracket, _ in
      """
      CASE WHEN NOT (\(bracket).middle > \(bracket).low AND \(bracket).middle < \(bracket).high) THEN \(bracket)
        WHEN \(chance(a, b, share: "\(bracket).middle", logBeta: logBeta)) > \(risk)
          THEN \(self.bracket("\(bracket).middle", "\(bracket).high"))
        ELSE \(self.bracket("\(bracket).low", "\(bracket).middle")) END
      """
    }
    return "(\(last)).high"
  }

  /// The probability of at most this number of failures, if each trial fails with the probability `share` (DLMF 8.17.5).
  func chance(_ a: String, _ b: String, share: String, logBeta: String) -> String {
    let side = "beta.front * \(fraction("beta.a", "beta.b", "beta.x")) / beta.a"
    let front = exp("\(a) * \(log("(1 - \(share))")) + \(b) * \(log(share)) - \(logBeta)")
    let isBelow = "1 - \(share) < (\(a) + 1) / (\(a) + \(b) + 2)"
    // The fraction converges quickly below the mean. The other side follows by symmetry (DLMF 8.17.4).
    let beta = dialect.record([
      ("is_below", isBelow), ("a", "CASE WHEN \(isBelow) THEN \(a) ELSE \(b) END"),
      ("b", "CASE WHEN \(isBelow) THEN \(b) ELSE \(a) END"),
      ("x", "CASE WHEN \(isBelow) THEN 1 - \(share) ELSE \(share) END"), ("front", front),
    ])
    return dialect.naming(
      beta, "beta",
      dialect.naming(side, "tail", "CASE WHEN beta.is_below THEN tail ELSE 1 - tail END"))
  }

  private func bracket(_ low: String, _ high: String) -> String {
    dialect.record([("low", low), ("middle", "\(low) + (\(high) - \(low)) / 2"), ("high", high)])
  }

  /// The continued fraction of the incomplete beta function (DLMF 8.17.22), by the modified Lentz method.
  ///
  /// A step first multiplies the result by the factors of the step before, and the parts that do not depend on other steps are
  /// computed as a list, so that no value in the loop needs a name: engines take longer to name a value than to compute it.
  private func fraction(_ a: String, _ b: String, _ x: String) -> String {
    func state(_ denominator: String, _ numerator: String, _ result: String, isDone: Bool = false) -> String {
      dialect.record([
        ("denominator", denominator), ("numerator", numerator), ("result", result), ("is_done", "\(isDone)"),
      ])
    }
    let start = state("1 / \(notZero("(1 - (\(a) + \(b)) * \(x) / (\(a) + 1))"))", "1e0", "1e0")
    let step = "CAST((half + 1) \(dialect.division) 2 AS DOUBLE)"
    let part = """
      CASE WHEN half % 2 = 1 THEN \(step) * (\(b) - \(step)) * \(x) / ((\(a) + 2 * \(step) - 1) * (\(a) + 2 * \(step)))
        ELSE -(\(a) + \(step)) * (\(a) + \(b) + \(step)) * \(x) / ((\(a) + 2 * \(step)) * (\(a) + 2 * \(step) + 1)) END
      """
    let halves = dialect.mapping(
      dialect.numbers(from: "1", through: "33 + CAST(floor(16 * sqrt(sqrt(\(a) + \(b)))) AS BIGINT)"), "half",
      dialect.record([("number", "half"), ("part", part)]))
    let none = dialect.record([("number", "CAST(0 AS BIGINT)"), ("part", "0e0")])
    let last = dialect.fold(halves, item: "term", like: none, into: "so_far", from: start) { soFar, half in
      let factor = "\(soFar).denominator * \(soFar).numerator"
      let next = state(
        "1 / \(notZero("(1 + \(half).part * \(soFar).denominator)"))",
        notZero("(1 + \(half).part / \(soFar).numerator)"), "\(soFar).result * (\(factor))")
      return """
        CASE WHEN \(soFar).is_done THEN \(soFar)
          WHEN \(half).number > 1 AND \(half).number % 2 = 1 AND abs(\(factor) - 1) <= 1.7763568394002505e-15
            THEN \(state("1e0", "1e0", "\(soFar).result * (\(factor))", isDone: true))
          ELSE \(next) END
        """
    }
    return dialect.naming(
      last, "fraction",
      "CASE WHEN fraction.is_done THEN fraction.result ELSE \(dialect.failure("the Clopper–Pearson bound does not converge", "DOUBLE")) END"
    )
  }

  private func notZero(_ number: String) -> String {
    "CASE WHEN abs(\(number)) < 1.0020841800044864e-292 THEN 1.0020841800044864e-292 ELSE \(number) END"
  }

  /// ln Γ by Stirling's series (DLMF 5.11.1), which is exact to a double from 10. Smaller numbers are raised first.
  private func logGamma(_ number: String) -> String {
    let raised = dialect.fold(
      dialect.numbers(from: "1", through: "10"), item: "raising", into: "gamma",
      from: dialect.record([("value", number), ("raised", "1e0")])
    ) { gamma, _ in
      let next = dialect.record([("value", "\(gamma).value + 1"), ("raised", "\(gamma).raised * \(gamma).value")])
      return "CASE WHEN \(gamma).value < 10 THEN \(next) ELSE \(gamma) END"
    }
    let divisors = ["156", "(-360360e0 / 691)", "1188", "-1680", "1260", "-360", "12"]
    let series = divisors.reduce("0e0") { "(\($0) * inverse + 1e0 / \($1))" }
    return dialect.naming(
      raised, "gamma",
      dialect.naming(
        "1e0 / (gamma.value * gamma.value)", "inverse",
        """
        (gamma.value - 0.5e0) * \(log("gamma.value")) - gamma.value + 0.9189385332046727e0 + \(series) / gamma.value
          - \(log("gamma.raised"))
        """))
  }

  /// The natural logarithm: 2 artanh((m - 1) / (m + 1)) of a mantissa m around 1 (DLMF 4.6.4).
  private func log(_ number: String) -> String {
    let series = stride(from: 23, through: 3, by: -2).reduce("0e0") { "(\($0) * square + 1e0 / \($1))" }
    let scaled = dialect.naming(
      "CAST(floor(log2(whole) + 0.5e0) AS DOUBLE)", "power",
      dialect.record([("mantissa", "whole * pow(2e0, -power)"), ("power", "power")]))
    // Corrects the exponent, which the engine's logarithm may miss by 1.
    let settled = """
      CASE WHEN guess.mantissa > 1.4142135623730951e0
          THEN \(dialect.record([("mantissa", "guess.mantissa / 2"), ("power", "guess.power + 1")]))
        WHEN guess.mantissa <= 0.7071067811865476e0
          THEN \(dialect.record([("mantissa", "guess.mantissa * 2"), ("power", "guess.power - 1")]))
        ELSE guess END
      """
    let value = dialect.naming(
      "(root.mantissa - 1) / (root.mantissa + 1)", "argument",
      dialect.naming(
        "argument * argument", "square",
        """
        root.power * 6.93147180369123816490e-01
          + (2 * argument + (2 * argument * square * \(series) + root.power * 1.90821492927058770002e-10))
        """))
    return dialect.naming(
      number, "whole", dialect.naming(scaled, "guess", dialect.naming(settled, "root", value)))
  }

  /// The exponential function.
  private func exp(_ number: String) -> String {
    let series = stride(from: 15, through: 1, by: -1).reduce("1e0") { "(1 + rest / \($1) * \($0))" }
    let value = dialect.naming(
      "(given - power * 6.93147180369123816490e-01) - power * 1.90821492927058770002e-10", "rest",
      dialect.naming(
        "CAST(floor(power * 0.5e0) AS DOUBLE)", "shift",
        "CASE WHEN given < -745e0 THEN 0e0 ELSE \(series) * pow(2e0, shift) * pow(2e0, power - shift) END"))
    return dialect.naming(
      number, "given",
      dialect.naming("CAST(floor(given * 1.4426950408889634e0 + 0.5e0) AS DOUBLE)", "power", value))
  }
}
