import DualSendRemapping

/// Compares the values of pairs where shapes do not determine the outcome.
struct ValueStages {
  let dialect: any SQLDialect
  let table: TableRelations
  let old: StreamForm
  let new: StreamForm

  var stages: [Stage] { [judged, unequal, converted, differing] }

  private var judged: Stage {
    Stage(
      "ds_judged", "a pair with its case",
      """
      SELECT pair.name, pair.old_line, pair.new_line, ds_cases.pairing
      \(Self.cases)
      """)
  }

  /// The pairs with their cases.
  static let cases = """
    FROM ds_pairs AS pair
    JOIN ds_forms ON ds_forms.rule = pair.rule AND ds_forms.old_shape = pair.old_shape
      AND ds_forms.has_stamp_inside = pair.has_stamp_inside
    JOIN ds_cases ON ds_cases.form = ds_forms.form AND ds_cases.new_shape = pair.new_shape
    """

  private var unequal: Stage {
    Stage(
      "ds_unequal", "a field of a pair whose values are not the same text",
      """
      SELECT old_line, pairing, pattern, conversion, text, given, actual
      FROM (
        SELECT pair.old_line, pair.pairing, plan.pattern, plan.conversion, plan.text,
          ds_at(pair.old_vals, plan.old_value) AS given, ds_at(pair.new_vals, plan.new_value) AS actual
        FROM (
      \(values)
        ) AS pair
        JOIN ds_plan AS plan ON plan.pairing = pair.pairing AND plan.outcome IS NULL
      ) AS fields
      WHERE NOT coalesce(text IS NULL AND conversion = 0 AND given = actual, false)
      """)
  }

  /// The values of the pairs. Those of plain lines are read again, because to keep them takes much memory.
  private var values: String {
    guard let plain = dialect.plainLines else {
      return "SELECT pair.old_line, ds_cases.pairing, pair.old_vals, pair.new_vals\n\(Self.cases)"
    }
    return """
      SELECT old.old_line, old.pairing, old.vals AS old_vals, new.vals AS new_vals
      FROM (
      \(values(old, plain))
      ) AS old
      JOIN (
      \(values(new, plain))
      ) AS new ON new.old_line = old.old_line
      """
  }

  private func values(_ stream: StreamForm, _ plain: PlainLines) -> String {
    """
        SELECT pair.old_line, pair.pairing, \(plain.values(stream)) AS vals
        FROM (
          SELECT * FROM ds_judged WHERE pairing IN (SELECT pairing FROM ds_cases WHERE \(stream.side)_is_plain)
        ) AS pair
        JOIN (SELECT CAST(line_number AS BIGINT) AS line_number, line FROM \(stream.relation)) AS source
          ON source.line_number = pair.\(stream.side)_line
        UNION ALL
        SELECT pair.old_line, pair.pairing, line.vals FROM ds_judged AS pair
        JOIN ds_lines AS line ON line.side = '\(stream.side)' AND line.line_number = pair.\(stream.side)_line
          AND line.vals IS NOT NULL
    """
  }

  /// In steps, because engines inline a named expression at each use.
  private var converted: Stage {
    Stage(
      "ds_converted", "an old scalar and its conversion by a row",
      """
      SELECT conversion, given, \(table.converted("conversion")) AS expected
      FROM (
        SELECT conversion, given, ds_key(given) AS given_key,
          CASE WHEN conversion IN (\(table.conversions(to: [.int, .double]))) THEN ds_numeral(given) END AS numeral,
          CASE WHEN conversion IN (\(table.conversions(to: [.date]))) THEN ds_time(given) END AS given_time
        FROM (SELECT DISTINCT conversion, given FROM ds_unequal WHERE conversion > 0 AND text IS NULL) AS found
      ) AS parts
      """)
  }

  private var differing: Stage {
    Stage(
      "ds_differing", "a field of a pair whose values differ",
      """
      SELECT pair.name, field.old_line, field.pairing, field.pattern,
        ds_outcome(field.expected, field.actual_key) AS outcome
      FROM (
        SELECT fields.*, ds_key(fields.actual) AS actual_key,
          CASE WHEN fields.text IS NOT NULL THEN ds_key(fields.text)
            WHEN fields.conversion = 0 THEN ds_key(fields.given) ELSE converted.expected END AS expected
        FROM ds_unequal AS fields
        LEFT JOIN ds_converted AS converted
          ON converted.conversion = fields.conversion AND converted.given = fields.given
      ) AS field
      JOIN ds_judged AS pair ON pair.old_line = field.old_line
      WHERE field.expected <> field.actual_key
      """)
  }
}
