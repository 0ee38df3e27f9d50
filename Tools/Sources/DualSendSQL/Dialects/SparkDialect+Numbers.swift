extension SparkDialect {
  var numbers: [QueryFunction] { Self.numbers }

  /// The functions for `ds_positive`: the fewest digits that read back as the same double, and of these the closest.
  private static let numbers: [QueryFunction] = [
    (
      "ds_is_integer(token STRING)", "BOOLEAN",
      """
      \(spark.fully("token", "-?[0-9]{1,18}")) OR (\(spark.fully("token", "-?[0-9]{19,20}"))
        AND TRY_CAST(token AS DECIMAL(38, 0)) BETWEEN -9223372036854775808BD AND 18446744073709551615BD)
      """
    ),
    (
      "ds_trunc(number DOUBLE)", "DOUBLE",
      """
      CASE WHEN abs(number) < 4503599627370496e0 THEN CAST(TRY_CAST(number AS BIGINT) AS DOUBLE) ELSE number END
      """
    ),
    // A double is an integer times a power of two.
    ("ds_power(number DOUBLE)", "INT", "greatest(CAST(floor(log2(number)) AS INT) - 53, -1074)"),
    (
      "ds_whole_part(number DOUBLE, power INT)", "BIGINT",
      """
      TRY_CAST(number * pow(2e0, -CAST(power div 2 AS INT)) * pow(2e0, -(power - CAST(power div 2 AS INT))) AS BIGINT)
      """
    ),
    // One expression, because lambdas cannot call functions of the query, nor pass their results to them.
    (
      "ds_exact(number DOUBLE, power INT, whole BIGINT)", "STRING",
      spark.naming(
        allDigits, "every",
        spark.naming(
          "length(every) + least(power, 0)", "point",
          spark.naming(
            shortest, "exact",
            spark.naming(
              #"regexp_replace(exact.digits, r'0+\z', '')"#, "digits",
              QueryFunctions.layout("digits", "exact.point")))))
    ),
    // Until JDK 19, Java's text of a double was not always the shortest or the closest. Its digits are used only if there
    // are at most 15: then at most one decimal number reads as the double, unless that is subnormal.
    (
      "ds_positive(number DOUBLE, own STRING)", "STRING",
      """
      CASE WHEN length(ds_digits(own)) <= 15 AND number > 3e-308 THEN ds_layout(ds_digits(own), ds_point(own))
        ELSE ds_exact(number, ds_power(number), ds_whole_part(number, ds_power(number))) END
      """
    ),
  ]

  private static let spark = SparkDialect()

  /// All digits of an integer times a power of two, by multiplication with limbs of nine digits. For a negative power, the
  /// product is also multiplied by ten to its absolute value, which gives an integer.
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

  /// The fewest digits that read back as the same double, rounded to nearest, ties to even.
  ///
  /// Spark may evaluate this for 0 too, which has no digits, although no result depends on it: no cast fails.
  private static let shortest = #"""
    get(filter(transform(
      transform(sequence(CASE WHEN number < 3e-308 THEN 1 ELSE 15 END, 17), size -> named_struct(
        'low', substr(every, 1, size), 'high', CAST(TRY_CAST(substr(every, 1, size) AS BIGINT) + 1 AS STRING),
        'rest', substr(every, size + 1))),
      side -> CASE
        WHEN \#(readsBack("side.low")) AND (NOT \#(readsBack("side.high")) OR CASE
          WHEN side.rest RLIKE r'\A50*\z' THEN side.low RLIKE r'[02468]\z' ELSE substr(side.rest, 1, 1) < '5' END)
          THEN named_struct('digits', side.low, 'point', point)
        WHEN \#(readsBack("side.high"))
          THEN named_struct('digits', side.high, 'point', point + length(side.high) - length(side.low)) END),
      found -> found IS NOT NULL), 0)
    """#

  /// Whether digits with the point at its position read back as the number.
  private static func readsBack(_ digits: String) -> String {
    "TRY_CAST(\(digits) || 'E' || CAST(point - length(side.low) AS STRING) AS DOUBLE) = number"
  }
}
