/// The fields of each combination of shapes, and their outcomes where the shapes determine them.
struct FieldStages {
  let dialect: any SQLDialect

  var stages: [Stage] { [cases, steps, expected, actual, fields, stops, plan] }

  private var cases: Stage {
    Stage(
      "ds_cases", "a case: a rule with an old shape, and a new shape",
      """
      SELECT CAST(row_number() OVER (ORDER BY cases.form, cases.new_shape) AS BIGINT) AS pairing, cases.form,
        cases.new_shape, old.is_plain AS old_is_plain, new.is_plain AS new_is_plain
      FROM (
        SELECT DISTINCT ds_forms.form, pair.old_shape, pair.new_shape
        FROM ds_pairs AS pair
        JOIN ds_forms ON ds_forms.rule = pair.rule AND ds_forms.old_shape = pair.old_shape
        AND ds_forms.has_stamp_inside = pair.has_stamp_inside
      ) AS cases
      JOIN ds_shapes AS old ON old.side = 'old' AND old.shape = cases.old_shape
      JOIN ds_shapes AS new ON new.side = 'new' AND new.shape = cases.new_shape
      """)
  }

  private var steps: Stage {
    Stage(
      "ds_expected_steps", "a prefix of the path of an expected value",
      """
      SELECT form, path, class, value, conversion, text, ds_joined(ds_slice(steps, 1, step_number)) AS place,
        coalesce(substr(ds_at(steps, step_number + 1), 1, 1), '') AS next
      FROM (SELECT given.*, ds_steps(path) AS steps FROM ds_with_defaults_filled AS given) AS paths\
      \(dialect.unnest("steps", "step", "step_number"))
      """)
  }

  private var expected: Stage {
    Stage(
      "ds_expected", "a value of an expected payload; `o` and `a` are containers that are not empty",
      """
      SELECT form, place, CASE next WHEN '/' THEN 'o' WHEN '[' THEN 'a' ELSE min(class) END AS class,
        min(CASE next WHEN '' THEN value END) AS value, min(CASE next WHEN '' THEN conversion END) AS conversion,
        min(CASE next WHEN '' THEN text END) AS text
      FROM ds_expected_steps GROUP BY form, place, next
      """)
  }

  private var actual: Stage {
    Stage(
      "ds_actual", "a value of a new payload",
      """
      SELECT shape, path AS place, value,
        CASE WHEN is_leaf THEN class WHEN class = '{' THEN 'o' WHEN class = '[' THEN 'a' END AS class
      FROM ds_paths WHERE side = 'new'
      """)
  }

  private var fields: Stage {
    Stage(
      "ds_places", "a path of either payload, and whether the comparison continues inside",
      """
      SELECT places.*, ds_pattern(places.place) AS pattern, ds_count(ds_steps(places.place)) AS depth,
        ignored.pattern IS NOT NULL AS is_ignored,
        ignored.pattern IS NULL AND coalesce(
          expected_class IN ('o', '{') AND actual_class IN ('o', '{') AND (expected_class = 'o' OR actual_class = 'o')
          OR expected_class IN ('a', '[') AND actual_class IN ('a', '[') AND (expected_class = 'a' OR actual_class = 'a'),
          false) AS goes_on
      FROM (
        SELECT pairing, place, max(expected_class) AS expected_class, max(actual_class) AS actual_class,
          max(old_value) AS old_value, max(conversion) AS conversion, max(text) AS text, max(new_value) AS new_value
        FROM (
          SELECT ds_cases.pairing, side.place, side.class AS expected_class, CAST(NULL AS STRING) AS actual_class,
            side.value AS old_value, side.conversion, side.text, CAST(NULL AS BIGINT) AS new_value
          FROM ds_cases JOIN ds_expected AS side ON side.form = ds_cases.form
          UNION ALL
          SELECT ds_cases.pairing, side.place, CAST(NULL AS STRING) AS expected_class, side.class AS actual_class,
            CAST(NULL AS BIGINT) AS old_value, CAST(NULL AS INTEGER) AS conversion, CAST(NULL AS STRING) AS text,
            side.value AS new_value
          FROM ds_cases JOIN ds_actual AS side ON side.shape = ds_cases.new_shape
        ) AS sides GROUP BY pairing, place
      ) AS places
      LEFT JOIN ds_ignored AS ignored ON ignored.pattern = ds_pattern(places.place)
      """)
  }

  private var stops: Stage {
    Stage(
      "ds_visited", "a path that the comparison reaches",
      """
      SELECT place.*
      FROM ds_places AS place
      LEFT JOIN (
        SELECT steps.pairing, steps.place, count(*) AS open_depth
        FROM (
          SELECT pairing, place, ds_joined(ds_slice(steps, 1, step_number)) AS box
          FROM (SELECT pairing, place, ds_steps(place) AS steps FROM ds_places) AS places\
          \(dialect.unnest("steps", "step", "step_number"))
        ) AS steps
        JOIN ds_places AS box ON box.pairing = steps.pairing AND box.place = steps.box AND box.goes_on
        WHERE steps.box <> steps.place
        GROUP BY steps.pairing, steps.place
      ) AS around ON around.pairing = place.pairing AND around.place = place.place
      WHERE coalesce(around.open_depth, 0) = place.depth - 1
      """)
  }

  private var plan: Stage {
    Stage(
      "ds_plan", "a field of a case with its outcome, or NULL if it depends on the values",
      """
      SELECT pairing, place, pattern, old_value, conversion, text, new_value,
        CASE WHEN is_ignored THEN 'ignored' WHEN expected_class IS NULL THEN 'extra' WHEN actual_class IS NULL THEN 'missing'
          WHEN expected_class IN ('v', 'c') AND actual_class = 'v' THEN NULL
          WHEN expected_class = actual_class THEN 'equal' ELSE 'typeChanged' END AS outcome
      FROM ds_visited WHERE NOT goes_on
      """)
  }
}
