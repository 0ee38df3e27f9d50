extension DuckDBDialect {
  /// The bound of Clopper and Pearson, by the same steps as in `dualsend parity`.
  static let bounds: [(String, String)] = [
    // Stirling's series (DLMF 5.11.1), which is exact to a double from 10 on; smaller numbers are raised there first.
    (
      "ds_raised(number)",
      """
      list_reduce(range(10), lambda state, step: CASE WHEN state.value < 10
        THEN {'value': state.value + 1, 'raised': state.raised * state.value} ELSE state END,
        {'value': number, 'raised': 1e0})
      """
    ),
    (
      "ds_series(inverse)",
      """
      ((((((0e0 * inverse + 1e0 / 156) * inverse + 1e0 / (-360360e0 / 691)) * inverse + 1e0 / 1188) * inverse
        + 1e0 / -1680) * inverse + 1e0 / 1260) * inverse + 1e0 / -360) * inverse + 1e0 / 12
      """
    ),
    (
      "ds_log_gamma_of(state)",
      """
      (state.value - 0.5e0) * ln(state.value) - state.value + 0.5e0 * ln(2 * pi())
        + ds_series(1e0 / (state.value * state.value)) / state.value - ln(state.raised)
      """
    ),
    ("ds_log_gamma(number)", "ds_log_gamma_of(ds_raised(number))"),
    (
      "ds_not_zero(number)",
      "CASE WHEN abs(number) < 1.0020841800044864e-292 THEN 1.0020841800044864e-292 ELSE number END"
    ),
    (
      "ds_part_of_fraction(a, b, x, half)",
      """
      CASE WHEN half % 2 = 1
        THEN CAST((half + 1) // 2 AS DOUBLE) * (b - (half + 1) // 2) * x
          / ((a + 2 * CAST((half + 1) // 2 AS DOUBLE) - 1) * (a + 2 * CAST((half + 1) // 2 AS DOUBLE)))
        ELSE -(a + (half + 1) // 2) * (a + b + (half + 1) // 2) * x
          / ((a + 2 * CAST((half + 1) // 2 AS DOUBLE)) * (a + 2 * CAST((half + 1) // 2 AS DOUBLE) + 1)) END
      """
    ),
    (
      "ds_parts(state, part)",
      """
      list_transform([part], lambda factor: {'above': ds_not_zero(1 + factor / state.numerator),
        'below': 1 / ds_not_zero(1 + factor * state.denominator)})
      """
    ),
    (
      "ds_next_part(state, part, half)",
      """
      list_transform(ds_parts(state, part), lambda next: {'denominator': next.below, 'numerator': next.above,
        'result': state.result * (next.below * next.above),
        'is_done': half % 2 = 0 AND abs(next.below * next.above - 1) <= 1.7763568394002505e-15})[1]
      """
    ),
    // The continued fraction of the incomplete beta function, DLMF 8.17.22, by the method of Lentz, Thompson and Barnett.
    (
      "ds_fraction(a, b, x)",
      """
      list_reduce(range(1, 32 + CAST(16 * sqrt(sqrt(a + b)) AS BIGINT)), lambda so_far, half: CASE WHEN so_far.is_done THEN so_far
        ELSE ds_next_part(so_far, ds_part_of_fraction(a, b, x, half), half) END,
        {'denominator': 1 / ds_not_zero(1 - (a + b) * x / (a + 1)), 'numerator': 1e0,
         'result': 1 / ds_not_zero(1 - (a + b) * x / (a + 1)), 'is_done': false})
      """
    ),
    ("ds_result(state)", "CASE WHEN state.is_done THEN state.result ELSE error('a bound does not converge') END"),
    // Below the mean the fraction converges quickly; the other side is reached by symmetry, 8.17.4.
    (
      "ds_beta(a, b, share, log_beta)",
      """
      {'is_below': 1 - share < (a + 1) / (a + b + 2),
       'a': CASE WHEN 1 - share < (a + 1) / (a + b + 2) THEN a ELSE b END,
       'b': CASE WHEN 1 - share < (a + 1) / (a + b + 2) THEN b ELSE a END,
       'x': CASE WHEN 1 - share < (a + 1) / (a + b + 2) THEN 1 - share ELSE share END,
       'front': exp(a * ln(1 - share) + b * ln(share) - log_beta)}
      """
    ),
    (
      "ds_side(beta)", "beta.front * ds_result(ds_fraction(beta.a, beta.b, beta.x)) / beta.a"
    ),
    // The chance of at most so many failures, each trial failing with the chance `share`: DLMF 8.17.5. A list of one is how a
    // value gets a name.
    (
      "ds_chance(a, b, share, log_beta)",
      """
      list_transform([ds_beta(a, b, share, log_beta)],
        lambda beta: CASE WHEN beta.is_below THEN ds_side(beta) ELSE 1 - ds_side(beta) END)[1]
      """
    ),
    ("ds_bracket(low, high)", "{'low': low, 'middle': low + (high - low) / 2, 'high': high}"),
    (
      "ds_upper(a, b, share, risk, log_beta)",
      """
      list_reduce(range(110), lambda bracket, step: CASE
        WHEN NOT (bracket.middle > bracket.low AND bracket.middle < bracket.high) THEN bracket
        WHEN ds_chance(a, b, bracket.middle, log_beta) > risk THEN ds_bracket(bracket.middle, bracket.high)
        ELSE ds_bracket(bracket.low, bracket.middle) END, ds_bracket(share, 1e0))
      """
    ),
  ]
}
