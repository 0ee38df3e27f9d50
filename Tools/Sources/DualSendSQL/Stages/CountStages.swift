import DualSendRemapping

/// What the values of each pair say, and the counts of the report.
struct CountStages {
  let dialect: any SQLDialect
  let table: TableRelations
  /// The streams that may have events of their own.
  let loneAllowed: Set<String>

  /// What the report keeps of anything.
  private static let examples = 5

  var stages: [Stage] { [judged, converted, differing, failing, events, fields, fieldExamples] }

  private var judged: Stage {
    Stage(
      "ds_judged", "a pair: its case, and what both lines hold",
      """
      SELECT pair.name, pair.label, pair.old_line, pair.has_expected_name, ds_cases.pairing,
        old.vals AS old_vals, new.vals AS new_vals
      FROM ds_pairs AS pair
      JOIN ds_forms ON ds_forms.rule = pair.rule AND ds_forms.old_shape = pair.old_shape
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

  private func allowed(_ side: String) -> String {
    loneAllowed.contains(side) ? "0" : "1"
  }

  private var events: Stage {
    Stage(
      "ds_events", "an event: its counts",
      """
      SELECT name, sum(pairs) AS pairs, sum(differing) AS differing, sum(renamed) AS renamed, sum(old_only) AS old_only,
        sum(new_only) AS new_only, sum(old_duplicates) AS old_duplicates, sum(new_duplicates) AS new_duplicates,
        sum(old_only) * \(allowed("old")) AS lost_from_new, sum(new_only) * \(allowed("new")) AS lost_from_old,
        sum(pairs) + sum(old_only) * \(allowed("old")) + sum(new_only) * \(allowed("new")) AS judged,
        sum(differing) + sum(old_only) * \(allowed("old")) + sum(new_only) * \(allowed("new")) AS failing
      FROM (
        SELECT pair.name, count(*) AS pairs,
          sum(CASE WHEN failing.old_line IS NOT NULL OR NOT pair.has_expected_name THEN 1 ELSE 0 END) AS differing,
          sum(CASE WHEN pair.has_expected_name THEN 0 ELSE 1 END) AS renamed,
          0 AS old_only, 0 AS new_only, 0 AS old_duplicates, 0 AS new_duplicates
        FROM ds_pairs AS pair LEFT JOIN ds_failing AS failing ON failing.old_line = pair.old_line
        GROUP BY pair.name
        UNION ALL
        SELECT name, 0, 0, 0,
          sum(CASE WHEN side = 'old' AND is_first THEN 1 ELSE 0 END),
          sum(CASE WHEN side = 'new' AND is_first THEN 1 ELSE 0 END),
          sum(CASE WHEN side = 'old' AND NOT is_first THEN 1 ELSE 0 END),
          sum(CASE WHEN side = 'new' AND NOT is_first THEN 1 ELSE 0 END)
        FROM ds_lone GROUP BY name
      ) AS counts GROUP BY name
      """)
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
