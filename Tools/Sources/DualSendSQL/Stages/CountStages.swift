import DualSendRemapping

/// What the values of each pair say, and the counts of the report.
struct CountStages {
  let dialect: any SQLDialect
  let table: TableRelations

  /// What the report keeps of anything.
  private static let examples = 5

  var stages: [Stage] { [judged, converted, differing, failing, events, delays, fields, fieldExamples] }

  private var judged: Stage {
    Stage(
      "ds_judged", "a pair: its case, and what both lines hold",
      """
      SELECT pair.name, pair.label, pair.old_line, pair.has_expected_name, ds_cases.pairing,
        old.vals AS old_vals, new.vals AS new_vals
      FROM ds_pairs AS pair
      JOIN ds_forms ON ds_forms.rule = pair.rule AND ds_forms.old_shape = pair.old_shape
        AND ds_forms.has_stamp_inside = pair.has_stamp_inside
      JOIN ds_cases ON ds_cases.form = ds_forms.form AND ds_cases.new_shape = pair.new_shape
      JOIN ds_lines AS old ON old.side = 'old' AND old.line_number = pair.old_line
      JOIN ds_lines AS new ON new.side = 'new' AND new.line_number = pair.new_line
      """)
  }

  /// Values of fields that only values decide.
  private var given: String {
    """
    SELECT pair.name, pair.label, pair.old_line, pair.pairing, plan.pattern, plan.conversion, plan.text,
      ds_at(pair.old_vals, plan.old_value) AS given, ds_at(pair.new_vals, plan.new_value) AS actual
    FROM ds_judged AS pair JOIN ds_plan AS plan ON plan.pairing = pair.pairing AND plan.outcome IS NULL
    """
  }

  /// In steps, for an engine puts an expression in the place of its name, however often that stands there.
  private var converted: Stage {
    Stage(
      "ds_converted", "an old scalar and what a row makes of it",
      """
      SELECT conversion, given, \(table.converted("conversion")) AS expected
      FROM (
        SELECT conversion, given, ds_key(given) AS given_key,
          CASE WHEN conversion IN (\(table.conversions(to: [.int, .double]))) THEN ds_numeral(given) END AS numeral,
          CASE WHEN conversion IN (\(table.conversions(to: [.date]))) THEN ds_time(given) END AS given_time
        FROM (SELECT DISTINCT conversion, given FROM (
      \(given)
        ) AS fields WHERE conversion > 0 AND text IS NULL) AS found
      ) AS parts
      """)
  }

  private var differing: Stage {
    Stage(
      "ds_differing", "a field of a pair that only its values tell from an equal one",
      """
      SELECT name, label, old_line, pairing, pattern, ds_outcome(expected, actual_key) AS outcome
      FROM (
        SELECT fields.*, ds_key(fields.actual) AS actual_key,
          CASE WHEN fields.text IS NOT NULL THEN ds_key(fields.text)
            WHEN fields.conversion = 0 THEN ds_key(fields.given) ELSE converted.expected END AS expected
        FROM (
      \(given)
        ) AS fields
        LEFT JOIN ds_converted AS converted
          ON converted.conversion = fields.conversion AND converted.given = fields.given
        WHERE NOT coalesce(fields.text IS NULL AND fields.conversion = 0 AND fields.given = fields.actual, false)
      ) AS expected_fields
      WHERE expected <> actual_key
      """)
  }

  private var failing: Stage {
    Stage(
      "ds_failing", "a pair that differs in a field",
      """
      SELECT DISTINCT old_line FROM (
        SELECT old_line FROM ds_differing
        UNION ALL
        SELECT pair.old_line FROM ds_judged AS pair
        JOIN (SELECT DISTINCT pairing FROM ds_plan WHERE outcome IN ('missing', 'extra', 'typeChanged')) AS differing
          ON differing.pairing = pair.pairing
      ) AS found
      """)
  }

  /// The counts of a pair and of an event of one stream, by the report's own keys; `noise` and what only documents decide
  /// are 0. A count of pairs is an expression over `pair` and `failing`, one of lone events over `ds_lone`.
  static let counts: [(key: String, pair: String?, lone: String?)] = [
    ("pairs", "true", nil), ("differingBeforeNoise", isDifferent, nil), ("renamed", "NOT pair.has_expected_name", nil),
    ("noise", nil, nil), ("oldOnly", nil, "is_first AND side = 'old'"), ("newOnly", nil, "is_first AND side = 'new'"),
    ("oldDuplicates", nil, "NOT is_first AND side = 'old'"), ("newDuplicates", nil, "NOT is_first AND side = 'new'"),
    ("lostFromNew", nil, "is_first AND verdict = 'lost' AND side = 'old'"),
    ("lostFromOld", nil, "is_first AND verdict = 'lost' AND side = 'new'"),
    ("unexpectedInOld", "pair.is_unexpected_in_old", "is_first AND verdict = 'unexpected' AND side = 'old'"),
    ("unexpectedInNew", "pair.is_unexpected_in_new", "is_first AND verdict = 'unexpected' AND side = 'new'"),
    ("undecided", nil, nil), ("withoutUnit", nil, nil), ("byStamp", "pair.is_stamped", "is_first AND is_stamped"),
    ("byDocument", nil, nil), ("byNothing", "NOT pair.is_stamped", "is_first AND NOT is_stamped"),
    ("contradicting", "pair.is_contradicted", nil), ("judged", "true", "is_first AND verdict <> 'expected'"),
    ("failingBeforeNoise", "\(isDifferent) OR \(isMisplaced)", "is_first AND verdict <> 'expected'"),
  ]
  private static let isDifferent = "failing.old_line IS NOT NULL OR NOT pair.has_expected_name"
  private static let isMisplaced = "pair.is_unexpected_in_old OR pair.is_unexpected_in_new"

  private var events: Stage {
    func sums(_ condition: (String?, String?) -> String?) -> String {
      Self.counts.map { count in
        let text = condition(count.pair, count.lone).map { "sum(CASE WHEN \($0) THEN 1 ELSE 0 END)" } ?? "0"
        return "    \(text) AS \(Self.column(count.key))"
      }.joined(separator: ",\n")
    }
    return Stage(
      "ds_events", "an event: its counts",
      """
      SELECT name, \(Self.counts.map { "sum(\(Self.column($0.key))) AS \(Self.column($0.key))" }.joined(separator: ", "))
      FROM (
        SELECT pair.name,
      \(sums { pair, _ in pair })
        FROM ds_pairs AS pair LEFT JOIN ds_failing AS failing ON failing.old_line = pair.old_line
        GROUP BY pair.name
        UNION ALL
        SELECT name,
      \(sums { _, lone in lone })
        FROM ds_lone GROUP BY name
      ) AS counts GROUP BY name
      """)
  }

  /// Delays by their first three digits, as `dualsend parity` counts them.
  private var delays: Stage {
    let digits = (4...16).map { count in
      "WHEN abs(delay) < \(power(count)) THEN delay - delay % \(power(count - 3))"
    }
    return Stage(
      "ds_delays", "a delay of an event's pairs: how often it was met",
      """
      SELECT name, delay, count(*) AS times FROM (
        SELECT name, CASE WHEN abs(delay) < 1000 THEN delay \(digits.joined(separator: " ")) END AS delay
        FROM ds_pairs WHERE delay IS NOT NULL
      ) AS delays GROUP BY name, delay
      """)
  }

  private func power(_ exponent: Int) -> String { "1" + String(repeating: "0", count: exponent) }

  /// A query for the median of delays, the lower of two, by name or of all.
  static func medianDelays(byName isByName: Bool) -> String {
    let (name, partition) = isByName ? ("name, ", "PARTITION BY name") : ("", "")
    return """
      SELECT \(name)min(delay) AS delay FROM (
        SELECT \(name)delay, sum(times) OVER (\(partition)) AS total,
          sum(times) OVER (\(partition) ORDER BY delay ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running
        FROM (SELECT \(name)delay, sum(times) AS times FROM ds_delays GROUP BY \(name)delay) AS delays
      ) AS sums WHERE 2 * running >= total\(isByName ? " GROUP BY name" : "")
      """
  }

  /// The column of a count: `lost_from_new` of `lostFromNew`.
  static func column(_ key: String) -> String {
    key.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
  }

  private var fields: Stage {
    Stage(
      "ds_fields", "a field of an event: how often each outcome was met",
      """
      SELECT name, pattern, outcome, sum(times) AS times FROM (
        SELECT pairs.name, plan.pattern, coalesce(plan.outcome, 'equal') AS outcome, sum(pairs.times) AS times
        FROM (SELECT name, pairing, count(*) AS times FROM ds_judged GROUP BY name, pairing) AS pairs
        JOIN ds_plan AS plan ON plan.pairing = pairs.pairing
        GROUP BY pairs.name, plan.pattern, coalesce(plan.outcome, 'equal')
        UNION ALL
        SELECT name, pattern, outcome, count(*) AS times FROM ds_differing GROUP BY name, pattern, outcome
        UNION ALL
        SELECT name, pattern, 'equal' AS outcome, -count(*) AS times FROM ds_differing GROUP BY name, pattern
      ) AS counts GROUP BY name, pattern, outcome HAVING sum(times) > 0
      """)
  }

  private var fieldExamples: Stage {
    Stage(
      "ds_field_examples", "an event that shows how a field differs: the smallest ids",
      """
      SELECT name, pattern, label FROM (
        SELECT name, pattern, label, row_number() OVER (PARTITION BY name, pattern ORDER BY label) AS position
        FROM (
          SELECT name, pattern, label FROM ds_differing
          UNION
          SELECT pair.name, plan.pattern, pair.label
          FROM (
            SELECT DISTINCT name, pairing, label FROM (
              SELECT name, pairing, label, dense_rank() OVER (PARTITION BY name, pairing ORDER BY label) AS position
              FROM ds_judged
              WHERE pairing IN (SELECT pairing FROM ds_plan WHERE outcome IN ('missing', 'extra', 'typeChanged'))
            ) AS ranked WHERE position <= \(Self.examples)
          ) AS pair
          JOIN ds_plan AS plan ON plan.pairing = pair.pairing AND plan.outcome IN ('missing', 'extra', 'typeChanged')
        ) AS shown
      ) AS ranked WHERE position <= \(Self.examples)
      """)
  }
}
