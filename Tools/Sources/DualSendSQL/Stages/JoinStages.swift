/// Which lines are of one event.
struct JoinStages {
  let dialect: any SQLDialect
  /// The pattern of the old payload's member that carries the id; `nil` for the line's own `eventId`.
  let idPattern: String?

  var stages: [Stage] { [read, firsts, placed, pairs, lone] }

  private var read: Stage {
    let id =
      idPattern == nil
      ? "ds_own_id"
      : """
      CASE WHEN side = 'new' THEN ds_own_id WHEN ds_has_payload AND ds_is_string(stamped) THEN ds_text(stamped) END
      """
    let label =
      "CASE WHEN ds_is_string(id_token) AND ds_own_id IS NOT NULL THEN ds_text(id_token) ELSE side || ' line ' || CAST(line_number AS STRING) END"
    return Stage(
      "ds_read", "a line: its id, its name and whether its payload can be read",
      """
      SELECT side, line_number, shape, \(id) AS id,
        CASE WHEN ds_is_string(name_token) AND ds_bytes(name_token) > 2 THEN ds_text(name_token) END AS name,
        ds_has_payload AS has_payload,
        \(idPattern == nil ? label : "CASE WHEN side = 'new' THEN \(label) WHEN ds_is_string(stamped) THEN ds_text(stamped) END") AS label
      FROM (
        SELECT line.side, line.line_number, line.shape,
          ds_at(line.vals, head.id_value) AS id_token, ds_at(line.vals, head.name_value) AS name_token,
          CASE WHEN head.is_event AND ds_starts(ds_at(line.vals, head.id_value), '"')
              AND ds_bytes(ds_at(line.vals, head.id_value)) > 2
            THEN substr(ds_at(line.vals, head.id_value), 2, length(ds_at(line.vals, head.id_value)) - 2) END AS ds_own_id,
          coalesce(head.is_event AND head.is_payload AND faulty.shape IS NULL AND (line.is_clean
            OR ds_are_scalars(ds_slice(line.vals, head.first_value + 1, head.last_value))), false) AS ds_has_payload,
          head.is_event\(idPattern == nil ? "" : ", ds_at(line.vals, stamp.value) AS stamped")
        FROM ds_lines AS line
        LEFT JOIN ds_heads AS head ON head.side = line.side AND head.shape = line.shape
        LEFT JOIN ds_faulty_shapes AS faulty ON faulty.side = line.side AND faulty.shape = line.shape
      \(stamp)
      ) AS lines
      """)
  }

  private var stamp: String {
    guard let idPattern else { return "" }
    return """
        LEFT JOIN ds_paths AS stamp ON stamp.side = line.side AND stamp.shape = line.shape AND line.side = 'old'
          AND stamp.class = 'v' AND stamp.path = \(dialect.literal(idPattern))
      """
  }

  private var firsts: Stage {
    Stage(
      "ds_firsts", "the first line of an id in a stream",
      "SELECT side, id, min(line_number) AS line_number FROM ds_read WHERE id IS NOT NULL GROUP BY side, id")
  }

  private var placed: Stage {
    Stage(
      "ds_placed", "a line that can be joined: whether it is the first of its id",
      """
      SELECT line.*, line.line_number = ds_firsts.line_number AS is_first,
        line.name IS NOT NULL AND line.has_payload AS is_event
      FROM ds_read AS line JOIN ds_firsts ON ds_firsts.side = line.side AND ds_firsts.id = line.id
      """)
  }

  private var pairs: Stage {
    Stage(
      "ds_pairs", "an event of both streams",
      """
      SELECT old.line_number AS old_line, new.line_number AS new_line, old.name, old.label,
        old.shape AS old_shape, new.shape AS new_shape, coalesce(ds_rules.rule, 0) AS rule,
        new.name = coalesce(ds_rules.new_name, old.name) AS has_expected_name
      FROM (SELECT * FROM ds_placed WHERE side = 'old' AND is_first AND is_event) AS old
      JOIN (SELECT * FROM ds_placed WHERE side = 'new' AND is_first AND is_event) AS new ON new.id = old.id
      LEFT JOIN ds_rules ON ds_rules.name = old.name
      """)
  }

  private var lone: Stage {
    Stage(
      "ds_lone", "an event of one stream, or a line that repeats one: under the name it has in the old stream",
      """
      SELECT line.side, coalesce(ds_old_names.name, line.name) AS name, line.label, line.is_first
      FROM ds_placed AS line
      LEFT JOIN ds_old_names ON line.side = 'new' AND ds_old_names.new_name = line.name
      LEFT JOIN (
        SELECT 'old' AS side, old_line AS line_number FROM ds_pairs
        UNION ALL SELECT 'new' AS side, new_line AS line_number FROM ds_pairs
      ) AS pair ON pair.side = line.side AND pair.line_number = line.line_number
      WHERE line.is_event AND pair.line_number IS NULL
      """)
  }
}
