import DualSendCore
import DualSendRemapping

/// Which lines are of one event, and where the event belongs.
struct JoinStages {
  /// The path of the old payload's member that carries the decision where another carries the id.
  static let decisionPattern = KeyPathPattern(key: DecisionStamp.key).sqlPattern

  let dialect: any SQLDialect
  /// The pattern of the old payload's member that carries the id; `nil` for the line's own `eventId`.
  let idPattern: String?
  /// The streams that may have events of their own that carry no decision.
  let loneAllowed: Set<String>

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
      "ds_read", "a line: its id, its name, its decision and whether its payload can be read",
      """
      SELECT side, line_number, shape, \(id) AS id,
        CASE WHEN ds_is_string(name_token) AND ds_bytes(name_token) > 2 THEN ds_text(name_token) END AS name,
        ds_has_payload AS has_payload,
        \(moment) AS moment,
        \(idPattern == nil ? label : "CASE WHEN side = 'new' THEN \(label) WHEN ds_is_string(stamped) THEN ds_text(stamped) END") AS label,
        \(idPattern == nil ? "ds_stamp(decision)" : "coalesce(ds_stamp(decision), CASE WHEN ds_has_payload THEN ds_stamp(decided) END)") AS stamp,
        \(idPattern == nil ? "false" : "ds_has_payload AND ds_stamp(decided) IS NOT NULL") AS has_stamp_inside
      FROM (
        SELECT line.side, line.line_number, line.shape,
          ds_at(line.vals, head.id_value) AS id_token, ds_at(line.vals, head.name_value) AS name_token,
          CASE WHEN head.is_event AND ds_starts(ds_at(line.vals, head.id_value), '"')
              AND ds_bytes(ds_at(line.vals, head.id_value)) > 2
            THEN substr(ds_at(line.vals, head.id_value), 2, length(ds_at(line.vals, head.id_value)) - 2) END AS ds_own_id,
          coalesce(head.is_event AND head.is_payload AND faulty.shape IS NULL AND (line.is_clean
            OR ds_are_scalars(ds_slice(line.vals, head.first_value + 1, head.last_value))), false) AS ds_has_payload,
          ds_at(line.vals, head.decision_value) AS decision, ds_at(line.vals, head.time_value) AS time_token,
          head.is_event\(idPattern == nil ? "" : ", ds_at(line.vals, stamp.value) AS stamped, ds_at(line.vals, decided.value) AS decided")
        FROM ds_lines AS line
        LEFT JOIN ds_heads AS head ON head.side = line.side AND head.shape = line.shape
        LEFT JOIN ds_faulty_shapes AS faulty ON faulty.side = line.side AND faulty.shape = line.shape
      \(stamp)
      ) AS lines
      """)
  }

  /// Milliseconds that are written as a whole number of at most 15 characters.
  private var moment: String {
    "CASE WHEN ds_bytes(time_token) <= 15 AND translate(time_token, '0123456789', '') IN ('', '-')"
      + " THEN TRY_CAST(time_token AS BIGINT) END"
  }

  private var stamp: String {
    guard let idPattern else { return "" }
    return """
        LEFT JOIN \(single(idPattern)) AS stamp ON stamp.side = line.side AND stamp.shape = line.shape
        LEFT JOIN \(single(Self.decisionPattern)) AS decided ON decided.side = line.side AND decided.shape = line.shape
      """
  }

  /// The scalar of each old shape at a path: one, though a payload that is none may have a key twice.
  private func single(_ pattern: String) -> String {
    "(SELECT side, shape, max(value) AS value FROM ds_paths WHERE side = 'old' AND class = 'v'"
      + " AND path = \(dialect.literal(pattern)) GROUP BY side, shape)"
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
        old.shape AS old_shape, new.shape AS new_shape, old.has_stamp_inside, coalesce(ds_rules.rule, 0) AS rule,
        new.name = coalesce(ds_rules.new_name, old.name) AS has_expected_name, new.moment - old.moment AS delay,
        coalesce(old.stamp, new.stamp) IS NOT NULL AS is_stamped,
        coalesce(old.stamp <> new.stamp, false) AS is_contradicted,
        coalesce(NOT ds_reaches(coalesce(old.stamp, new.stamp), 'old'), false) AS is_unexpected_in_old,
        coalesce(NOT ds_reaches(coalesce(old.stamp, new.stamp), 'new'), false) AS is_unexpected_in_new
      FROM (SELECT * FROM ds_placed WHERE side = 'old' AND is_first AND is_event) AS old
      JOIN (SELECT * FROM ds_placed WHERE side = 'new' AND is_first AND is_event) AS new ON new.id = old.id
      LEFT JOIN ds_rules ON ds_rules.name = old.name
      """)
  }

  /// What is said of an event that only this stream has, and that carries no decision.
  private func verdict(_ side: String) -> String {
    loneAllowed.contains(side) ? "expected" : "lost"
  }

  private var lone: Stage {
    Stage(
      "ds_lone", "an event of one stream, or a line that repeats one: under the name it has in the old stream",
      """
      SELECT line.side, coalesce(ds_old_names.name, line.name) AS name, line.label, line.is_first,
        line.stamp IS NOT NULL AS is_stamped, CASE
          WHEN line.stamp IS NULL THEN CASE line.side WHEN 'old' THEN '\(verdict("old"))' ELSE '\(verdict("new"))' END
          WHEN ds_reaches(line.stamp, CASE line.side WHEN 'old' THEN 'new' ELSE 'old' END) THEN 'lost'
          WHEN ds_reaches(line.stamp, line.side) THEN 'expected' ELSE 'unexpected' END AS verdict
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
