extension SparkDialect {
  /// A number's canonical text: the shortest digits that read back as the same double, and of those the closest.
  static let numbers: [Function] = [
    (
      "ds_is_integer(token STRING)", "BOOLEAN",
      """
      \(fully("token", "-?[0-9]{1,18}")) OR (\(fully("token", "-?[0-9]{19,20}"))
        AND TRY_CAST(token AS DECIMAL(38, 0)) BETWEEN -9223372036854775808BD AND 18446744073709551615BD)
      """
    ),
    (
      "ds_trunc(number DOUBLE)", "DOUBLE",
      """
      CASE WHEN abs(number) < 4503599627370496e0 THEN CAST(TRY_CAST(number AS BIGINT) AS DOUBLE) ELSE number END
      """
    ),
    // Java's digits read back as the same double, but until JDK 19 they were not always the shortest, nor the closest.
    ("ds_java(number DOUBLE)", "STRING", "CAST(abs(number) AS STRING)"),
    ("ds_mantissa(java STRING)", "STRING", "regexp_extract(java, r'^[0-9.]+', 0)"),
    (
      "ds_digits(java STRING)", "STRING",
      #"regexp_replace(regexp_replace(ds_mantissa(java), r'\A0?[.]?0*|[.]', ''), r'0+\z', '')"#
    ),
    // Where the point stands: the number is 0.DIGITS times ten to this power.
    (
      "ds_point(java STRING)", "INT",
      #"""
      CASE WHEN contains(java, 'E') THEN TRY_CAST(regexp_extract(java, r'E(-?[0-9]+)\z', 1) AS INT) + 1
        WHEN startswith(java, '0.') THEN -length(regexp_extract(java, r'\A0[.](0*)', 1))
        ELSE length(regexp_extract(java, r'\A[0-9]+', 0)) END
      """#
    ),
    ("ds_layout(digits STRING, point INT)", "STRING", layout("digits", "point")),
    // Every double is a whole number times a power of two.
    ("ds_power(number DOUBLE)", "INT", "greatest(CAST(floor(log2(number)) AS INT) - 53, -1074)"),
    (
      "ds_whole_part(number DOUBLE, power INT)", "BIGINT",
      """
      TRY_CAST(number * pow(2e0, -CAST(power div 2 AS INT)) * pow(2e0, -(power - CAST(power div 2 AS INT))) AS BIGINT)
      """
    ),
    // Functions of the query cannot stand in lambdas, nor take what those give: one expression.
    (
      "ds_exact(number DOUBLE, power INT, whole BIGINT)", "STRING",
      spark.naming(
        allDigits, "every",
        spark.naming(
          "length(every) + least(power, 0)", "point",
          spark.naming(
            shortest, "exact",
            spark.naming(
              #"regexp_replace(exact.digits, r'0+\z', '')"#, "digits", layout("digits", "exact.point")))))
    ),
    // Up to 15 digits one decimal number at most reads as a double, if that is not so small that it has fewer bits.
    (
      "ds_positive(number DOUBLE, java STRING)", "STRING",
      """
      CASE WHEN length(ds_digits(java)) <= 15 AND number > 3e-308 THEN ds_layout(ds_digits(java), ds_point(java))
        ELSE ds_exact(number, ds_power(number), ds_whole_part(number, ds_power(number))) END
      """
    ),
    (
      "ds_double(number DOUBLE)", "STRING",
      """
      CASE WHEN number = ds_trunc(number) AND abs(number) <= 9007199254740992 THEN CAST(TRY_CAST(number AS BIGINT) AS STRING)
        ELSE CASE WHEN number < 0 THEN '-' ELSE '' END || ds_positive(abs(number), ds_java(number)) END
      """
    ),
    (
      "ds_number(token STRING)", "STRING",
      """
      CASE WHEN ds_is_integer(token) THEN CASE WHEN token = '-0' THEN '0' ELSE token END
        ELSE ds_double(TRY_CAST(token AS DOUBLE)) END
      """
    ),
  ]

  private static let spark = SparkDialect()

  /// All digits of a whole number times a power of two, by multiplication in limbs of nine digits; for a negative power,
  /// times ten to that power more, which makes it a whole number.
  private static let allDigits = #"""
    regexp_replace(array_join(transform(reverse(aggregate(
      CASE WHEN power < 0
        THEN concat(array_repeat(244140625, CAST(-power div 12 AS INT)), array(CAST(pow(5, -power % 12) AS INT)))
        ELSE concat(array_repeat(536870912, CAST(power div 29 AS INT)), array(CAST(pow(2, power % 29) AS INT))) END,
      array(whole % 1000000000, whole div 1000000000),
      (limbs, factor) -> aggregate(limbs,
        named_struct('limbs', CAST(array() AS ARRAY<BIGINT>), 'carry', CAST(0 AS BIGINT)),
        (product, limb) -> named_struct(
          'limbs', concat(product.limbs, array((limb * factor + product.carry) % 1000000000)),
          'carry', (limb * factor + product.carry) div 1000000000),
        product -> concat(product.limbs, array(product.carry))))),
      limb -> lpad(CAST(limb AS STRING), 9, '0')), ''), r'\A0+', '')
    """#

  /// The fewest of all digits that read back, rounded to the nearer side; of two as near, to the even digit.
  private static let shortest = #"""
    get(filter(transform(
      transform(sequence(CASE WHEN number < 3e-308 THEN 1 ELSE 15 END, 17), size -> named_struct(
        'low', substr(every, 1, size), 'high', CAST(CAST(substr(every, 1, size) AS BIGINT) + 1 AS STRING),
        'rest', substr(every, size + 1))),
      side -> CASE
        WHEN \#(readsBack("side.low")) AND (NOT \#(readsBack("side.high")) OR CASE
          WHEN side.rest RLIKE r'\A50*\z' THEN side.low RLIKE r'[02468]\z' ELSE substr(side.rest, 1, 1) < '5' END)
          THEN named_struct('digits', side.low, 'point', point)
        WHEN \#(readsBack("side.high"))
          THEN named_struct('digits', side.high, 'point', point + length(side.high) - length(side.low)) END),
      found -> found IS NOT NULL), 0)
    """#

  /// Whether digits, with the point where it stands among all, are read as the number.
  private static func readsBack(_ digits: String) -> String {
    "TRY_CAST(\(digits) || 'E' || CAST(point - length(side.low) AS STRING) AS DOUBLE) = number"
  }

  private static func layout(_ digits: String, _ point: String) -> String {
    """
    CASE WHEN \(point) BETWEEN length(\(digits)) AND 21 THEN \(digits) || repeat('0', \(point) - length(\(digits)))
      WHEN \(point) BETWEEN 1 AND 21 THEN substr(\(digits), 1, \(point)) || '.' || substr(\(digits), \(point) + 1)
      WHEN \(point) BETWEEN -5 AND 0 THEN '0.' || repeat('0', -\(point)) || \(digits)
      ELSE substr(\(digits), 1, 1) || CASE WHEN length(\(digits)) > 1 THEN '.' || substr(\(digits), 2) ELSE '' END
        || 'e' || CASE WHEN \(point) > 0 THEN '+' ELSE '' END || CAST(\(point) - 1 AS STRING) END
    """
  }
}
