/// Applies the targets of rows, the constants and the defaults, and resolves clashes.
struct WriteStages {
  let dialect: any SQLDialect

  var stages: [Stage] {
    [
      writes, written,
      prefixes("ds_write_steps", of: "ds_writes", columns: "form, number, target AS path"),
      prefixes("ds_rest_steps", of: "ds_rest", columns: "form, path, class"),
      conflicts("ds_conflicts", writes: "ds_write_steps", leaves: "ds_rest_steps"),
      standing, settled, absent,
    ] + fillers("ds_settled", writes: "ds_standing", except: "ds_absent") + [
      prefixes("ds_absent_steps", of: "ds_absent", columns: "form, number, target AS path"),
      prefixes("ds_filled_steps", of: "ds_settled_filled", columns: "form, path, class"),
      conflicts("ds_refusals_of_defaults", writes: "ds_absent_steps", leaves: "ds_filled_steps"),
      defaults, withDefaults,
    ] + fillers("ds_with_defaults", writes: "ds_defaults")
  }

  private var writes: Stage {
    Stage(
      "ds_writes", "a path that a row or a constant writes",
      """
      SELECT form, place AS number, ds_place(target, ds_indices(path)) AS target, place, CAST(NULL AS STRING) AS constant
      FROM ds_matches WHERE target IS NOT NULL
      UNION ALL
      SELECT DISTINCT ds_forms.form, -given.number AS number, given.target, CAST(NULL AS BIGINT) AS place,
        given.target AS constant
      FROM ds_forms JOIN ds_constants AS given ON given.rule = ds_forms.rule
      """)
  }

  private var written: Stage {
    Stage(
      "ds_written", "a written scalar or empty container",
      """
      SELECT given.form, given.number, given.target AS path, 'c' AS class, CAST(NULL AS BIGINT) AS value,
        0 AS conversion, match.fallback AS text
      FROM ds_writes AS given JOIN ds_matches AS match ON match.form = given.form AND match.place = given.place
      WHERE match.class <> 'v' AND match.replaces_containers
      UNION ALL
      SELECT given.form, given.number, given.target || substr(leaf.path, length(match.path) + 1) AS path, leaf.class,
        leaf.value, CASE match.class WHEN 'v' THEN match.conversion ELSE 0 END AS conversion, CAST(NULL AS STRING) AS text
      FROM ds_writes AS given JOIN ds_matches AS match ON match.form = given.form AND match.place = given.place
      JOIN ds_leaves AS leaf
        ON leaf.form = match.form AND match.place <= leaf.place AND leaf.place <= match.last_place
      WHERE match.class = 'v' OR NOT match.replaces_containers
      UNION ALL
      SELECT given.form, given.number, given.target || leaf.suffix AS path, leaf.class, CAST(NULL AS BIGINT) AS value,
        0 AS conversion, leaf.text
      FROM ds_writes AS given JOIN ds_forms ON ds_forms.form = given.form
      JOIN ds_constants AS leaf ON leaf.rule = ds_forms.rule AND leaf.target = given.constant
      """)
  }

  /// Every prefix of a path, including the path itself, with the kind of the next step.
  private func prefixes(_ name: String, of relation: String, columns: String) -> Stage {
    Stage(
      name, "a prefix of a path in \(relation)",
      """
      SELECT paths.*, step_number, ds_joined(ds_slice(steps, 1, step_number)) AS place,
        ds_fold(ds_joined(ds_slice(steps, 1, step_number))) AS folded,
        coalesce(substr(ds_at(steps, step_number + 1), 1, 1), '') AS next
      FROM (SELECT given.*, ds_steps(path) AS steps FROM (SELECT \(columns) FROM \(relation)) AS given) AS paths\(dialect.unnest("steps", "step", "step_number"))
      """)
  }

  /// Existing values at the path of a write. An empty container does not conflict with a write into it, but it is replaced.
  private func conflicts(_ name: String, writes: String, leaves: String) -> Stage {
    Stage(
      name, "a write, and an existing value that conflicts with it or that it replaces",
      """
      SELECT given.form, given.number, leaf.path, bool_or(
        given.place <> leaf.place OR given.next = '' OR given.next <> leaf.next AND NOT (leaf.next = ''
          AND (leaf.class = '{' AND given.next = '/' OR leaf.class = '[' AND given.next = '['))) AS is_conflict
      FROM \(writes) AS given
      JOIN \(leaves) AS leaf ON leaf.form = given.form AND leaf.folded = given.folded
      WHERE given.place <> leaf.place OR given.next = '' OR given.next <> leaf.next
      GROUP BY given.form, given.number, leaf.path
      """)
  }

  private var standing: Stage {
    Stage(
      "ds_standing", "a write that takes effect: all writes, unless the payload wins clashes",
      """
      SELECT given.* FROM ds_writes AS given
      JOIN ds_forms ON ds_forms.form = given.form
      JOIN ds_rules ON ds_rules.rule = ds_forms.rule
      WHERE NOT ds_rules.payload_wins OR NOT EXISTS (
        SELECT 1 FROM ds_conflicts AS met
        WHERE met.form = given.form AND met.number = given.number AND met.is_conflict)
      """)
  }

  private var settled: Stage {
    Stage(
      "ds_settled", "a value of a payload after rows and constants",
      """
      SELECT rest.form, rest.path, rest.class, rest.value, 0 AS conversion, rest.text
      FROM ds_rest AS rest
      WHERE NOT EXISTS (
        SELECT 1 FROM ds_conflicts AS met JOIN ds_standing AS given
          ON given.form = met.form AND given.number = met.number
        WHERE met.form = rest.form AND met.path = rest.path)
      UNION ALL
      SELECT leaf.form, leaf.path, leaf.class, leaf.value, leaf.conversion, leaf.text
      FROM ds_written AS leaf
      JOIN ds_standing AS given ON given.form = leaf.form AND given.number = leaf.number
      """)
  }

  /// Fills the gaps before an element that is written beyond the end of an array.
  ///
  /// - Parameter later: the relation of later writes, whose paths are not filled.
  private func fillers(_ relation: String, writes: String, except later: String? = nil) -> [Stage] {
    let isWrittenLater = later.map {
      " AND NOT (gaps.next = '' AND EXISTS (SELECT 1 FROM \($0) AS later"
        + " WHERE later.form = gaps.form AND later.target = gaps.place))"
    }
    return [
      prefixes(relation + "_steps", of: relation, columns: "form, path"),
      prefixes(relation + "_write_steps", of: writes, columns: "form, target AS path"),
      Stage(
        relation + "_filled", "\(relation) without gaps in arrays",
        """
        SELECT form, path, class, value, conversion, text FROM \(relation)
        UNION ALL
        SELECT gaps.form, gaps.place AS path, CASE gaps.next WHEN '/' THEN '{' WHEN '[' THEN '[' ELSE 'c' END AS class,
          CAST(NULL AS BIGINT) AS value, 0 AS conversion, CASE gaps.next WHEN '' THEN 'null' END AS text
        FROM (
          SELECT DISTINCT form, box || '[' || CAST(position AS STRING) AS place, next
          FROM (SELECT found.*, ds_numbers(position_of_last) AS positions FROM (
            SELECT form, regexp_replace(place, \(dialect.literal(#"\[[0-9]+$"#)), '') AS box, next,
              max(CAST(regexp_extract(place, \(dialect.literal("([0-9]+)$")), 1) AS BIGINT)) AS position_of_last
            FROM \(relation)_write_steps WHERE ds_starts(ds_at(ds_steps(place), ds_count(ds_steps(place))), '[')
            GROUP BY 1, 2, 3
          ) AS found) AS arrays\(dialect.unnest("positions", "position", "position_number"))
        ) AS gaps
        LEFT JOIN (SELECT DISTINCT form, place FROM \(relation)_steps) AS known
          ON known.form = gaps.form AND known.place = gaps.place
        WHERE known.place IS NULL\(isWrittenLater ?? "")
        """),
    ]
  }

  private var absent: Stage {
    Stage(
      "ds_absent", "a path that a default writes, because its source is absent",
      """
      SELECT nodes.form, ds_place(given.target, ds_indices(nodes.path)) AS target, given.fallback AS text,
        row_number() OVER (PARTITION BY nodes.form ORDER BY given.source, nodes.path) AS number
      FROM (
        SELECT form, rule, path, pattern, class, is_leaf FROM ds_values_of_forms
        UNION ALL SELECT form, rule, '' AS path, '' AS pattern, '{' AS class, false AS is_leaf FROM ds_forms
      ) AS nodes
      JOIN ds_ways AS way ON way.rule = nodes.rule AND way.pattern = nodes.pattern
      JOIN ds_rows AS given ON given.rule = way.rule AND given.source = way.source
      LEFT JOIN ds_values_of_forms AS inner_node
        ON inner_node.form = nodes.form AND inner_node.path = nodes.path || way.step
      WHERE inner_node.path IS NULL AND NOT (nodes.class = '[' AND NOT nodes.is_leaf AND way.walks_over_array)
      """)
  }

  private var defaults: Stage {
    Stage(
      "ds_defaults", "a default that takes effect, because nothing conflicts with it",
      """
      SELECT given.* FROM ds_absent AS given
      WHERE NOT EXISTS (
        SELECT 1 FROM ds_refusals_of_defaults AS met
        WHERE met.form = given.form AND met.number = given.number AND met.is_conflict)
      """)
  }

  private var withDefaults: Stage {
    Stage(
      "ds_with_defaults", "a value of a payload after rows, constants and defaults",
      """
      SELECT filled.form, filled.path, filled.class, filled.value, filled.conversion, filled.text
      FROM ds_settled_filled AS filled
      WHERE NOT EXISTS (
        SELECT 1 FROM ds_refusals_of_defaults AS met JOIN ds_defaults AS given
          ON given.form = met.form AND given.number = met.number
        WHERE met.form = filled.form AND met.path = filled.path)
      UNION ALL
      SELECT form, target AS path, 'c' AS class, CAST(NULL AS BIGINT) AS value, 0 AS conversion, text FROM ds_defaults
      """)
  }
}
