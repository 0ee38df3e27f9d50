/// The values that rows take from an old payload, and the rest.
struct RestStages {
  let dialect: any SQLDialect
  let idPattern: String?

  var stages: [Stage] { [forms, values, matches, leaves, whole, rest] }

  private var forms: Stage {
    Stage(
      "ds_forms", "a combination of a rule and a shape of old payloads, with or without a decision in the payload",
      """
      SELECT CAST(row_number() OVER (ORDER BY rule, old_shape, has_stamp_inside) AS BIGINT) AS form, rule, old_shape,
        has_stamp_inside
      FROM (SELECT DISTINCT rule, old_shape, has_stamp_inside FROM ds_pairs) AS forms
      """)
  }

  private var values: Stage {
    Stage(
      "ds_values_of_forms", "a value of an old payload",
      """
      SELECT forms.form, forms.rule, forms.old_shape, path.place, path.last_place, path.class, path.value, path.box,
        path.path, path.pattern, path.is_leaf
      FROM ds_forms AS forms
      JOIN ds_paths AS path ON path.side = 'old' AND path.shape = forms.old_shape
      \(idPattern.map(notStamped) ?? "")
      """)
  }

  /// Excludes the id and the decision that the adapter added to the payload.
  private func notStamped(_ idPattern: String) -> String {
    """
    WHERE path.path <> \(dialect.literal(idPattern))
      AND NOT (forms.has_stamp_inside AND path.path = \(dialect.literal(JoinStages.decisionPattern)))
    """
  }

  private var matches: Stage {
    Stage(
      "ds_matches", "a value that matches the source of a row",
      """
      SELECT node.form, node.place, node.last_place, node.class, node.value, node.path, node.is_leaf,
        given.source, given.target, given.conversion, given.fallback, given.replaces_containers
      FROM ds_values_of_forms AS node
      JOIN ds_rows AS given ON given.rule = node.rule AND given.source = node.pattern
      """)
  }

  private var leaves: Stage {
    Stage(
      "ds_leaves", "a scalar or empty container of an old payload, and whether a row takes it",
      """
      SELECT node.form, node.place, node.class, node.value, node.path, taken.place IS NOT NULL AS is_taken
      FROM ds_values_of_forms AS node
      LEFT JOIN ds_matches AS taken
        ON taken.form = node.form AND taken.place <= node.place AND node.place <= taken.last_place
      WHERE node.is_leaf
      """)
  }

  private var whole: Stage {
    Stage(
      "ds_taken", "a value, and whether rows take all of it",
      """
      SELECT node.form, node.place, node.class, node.box, node.path, bool_and(leaf.is_taken) AS is_taken
      FROM ds_values_of_forms AS node
      JOIN ds_leaves AS leaf ON leaf.form = node.form AND node.place <= leaf.place AND leaf.place <= node.last_place
      GROUP BY node.form, node.place, node.class, node.box, node.path
      """)
  }

  /// An array element that is taken stays as `null` or an empty container, to keep positions.
  private var rest: Stage {
    Stage(
      "ds_rest", "a value that no row takes",
      """
      SELECT leaf.form, leaf.path, leaf.class, leaf.value, CAST(NULL AS STRING) AS text
      FROM ds_leaves AS leaf JOIN ds_forms ON ds_forms.form = leaf.form
      JOIN ds_rules ON ds_rules.rule = ds_forms.rule
      WHERE NOT leaf.is_taken AND ds_rules.keeps_unmapped
      UNION ALL
      SELECT node.form, node.path, CASE node.class WHEN 'v' THEN 'c' ELSE node.class END AS class,
        CAST(NULL AS BIGINT) AS value, CASE node.class WHEN 'v' THEN 'null' END AS text
      FROM ds_taken AS node
      JOIN ds_taken AS box ON box.form = node.form AND box.place = node.box AND box.class = '['
      JOIN ds_forms ON ds_forms.form = node.form
      JOIN ds_rules ON ds_rules.rule = ds_forms.rule
      WHERE node.is_taken AND NOT box.is_taken AND ds_rules.keeps_unmapped
      """)
  }
}
