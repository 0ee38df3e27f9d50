import DualSendCore
import DualSendRemapping

/// Joins lines by event id, and determines the streams in which events belong.
struct JoinStages {
  /// The path of the old payload's decision, if the old payload also has the id.
  static let decisionPattern = KeyPathPattern(key: DecisionStamp.key).sqlPattern

  let dialect: any SQLDialect
  /// The path of the id in the old payload; `nil` for the line's `eventId`.
  let idPattern: String?
  /// The streams that may have unpaired events without a decision.
  let loneAllowed: Set<String>

  var stages: [Stage] { [read, uneven, pairs, lone] }

  private var read: Stage {
    let id =
      idPattern == nil
      ? "ds_own_id"
      : """
      CASE WHEN side = 'new' THEN ds_own_id WHEN ds_has_payload AND ds_is_string(stamped) THEN ds_text(stamped) END
      """
    let ownLabel =
      "CASE WHEN NOT \(isString("id_token")) THEN side || ' line ' || CAST(line_number AS STRING)"
      + " WHEN \(dialect.hasEscape("ds_own_id")) THEN ds_text(id_token) END"
    return Stage(
      "ds_read", "the id, name and decision of a line, its label unless it is the id, and whether the payload is valid",
      """
      SELECT side, line_number, shape, \(id) AS id,
        CASE WHEN ds_bytes(name_token) > 2 AND \(isString("name_token")) THEN ds_text(name_token) END AS name,
        ds_has_payload AS has_payload,
        \(moment) AS moment,
        \(idPattern == nil ? ownLabel : "CASE WHEN side = 'new' THEN \(ownLabel) END") AS label,
        \(idPattern == nil ? "ds_stamp(decision)" : "coalesce(ds_stamp(decision), CASE WHEN ds_has_payload THEN ds_stamp(decided) END)") AS stamp,
        \(idPattern == nil ? "false" : "ds_has_payload AND ds_stamp(decided) IS NOT NULL") AS has_stamp_inside\(dialect.plainLines == nil ? ", vals" : "")
      FROM (
        SELECT line.side, line.line_number, line.shape, line.is_clean,\(dialect.plainLines == nil ? " line.vals," : "")
          \(head(.id, "head.id_value")) AS id_token, \(head(.name, "head.name_value")) AS name_token,
          CASE WHEN head.is_event AND ds_starts(\(head(.id, "head.id_value")), '"')
              AND ds_bytes(\(head(.id, "head.id_value"))) > 2
            THEN \(unquoted(head(.id, "head.id_value"))) END AS ds_own_id,
          coalesce(head.is_event AND head.is_payload AND faulty.shape IS NULL AND CASE WHEN line.is_clean THEN true
            ELSE ds_are_scalars(ds_slice(line.vals, head.first_value + 1, head.last_value)) END, false) AS ds_has_payload,
          \(head(.decision, "head.decision_value")) AS decision, \(head(.time, "head.time_value")) AS time_token
          \(idPattern == nil ? "" : ", \(head(.stamped, "stamp.value")) AS stamped, \(head(.decided, "decided.value")) AS decided")
        FROM ds_lines AS line
        LEFT JOIN ds_heads AS head ON head.side = line.side AND head.shape = line.shape
        LEFT JOIN ds_faulty_shapes AS faulty ON faulty.side = line.side AND faulty.shape = line.shape
      \(stamp)
      ) AS lines
      """)
  }

  /// A scalar of a line, given the column of its number.
  private func head(_ head: PlainLines.Head, _ number: String) -> String {
    let value = "ds_at(line.vals, \(number))"
    if dialect.plainLines == nil { return value }
    return "CASE WHEN line.vals IS NULL THEN line.\(head.column) ELSE \(value) END"
  }

  /// Whether a scalar is a valid string. Those of a clean line are valid; engines evaluate both sides of an `OR`.
  private func isString(_ token: String) -> String {
    "CASE WHEN is_clean THEN ds_starts(\(token), '\"') ELSE ds_is_string(\(token)) END"
  }

  private func unquoted(_ token: String) -> String { "substr(\(token), 2, length(\(token)) - 2)" }

  /// The time, if its text is an integer of at most 15 characters.
  private var moment: String {
    "CASE WHEN ds_bytes(time_token) <= 15 AND \(dialect.fully("time_token", "-?[0-9]+"))"
      + " THEN TRY_CAST(time_token AS BIGINT) END"
  }

  private var stamp: String {
    guard let idPattern else { return "" }
    return """
        LEFT JOIN \(single(idPattern)) AS stamp ON stamp.side = line.side AND stamp.shape = line.shape
        LEFT JOIN \(single(Self.decisionPattern)) AS decided ON decided.side = line.side AND decided.shape = line.shape
      """
  }

  /// The scalar of each old shape at a path. Takes one, because an invalid payload may have a key twice.
  private func single(_ pattern: String) -> String {
    "(SELECT side, shape, max(value) AS value FROM ds_paths WHERE side = 'old' AND class = 'v'"
      + " AND path = \(dialect.literal(pattern)) GROUP BY side, shape)"
  }

  /// Only these ids need the first lines. They are few, so that engines join them without a shuffle of the lines.
  private var uneven: Stage {
    func first(_ side: String, _ condition: String) -> String {
      "min(CASE WHEN side = '\(side)'\(condition) THEN line_number END)"
    }
    let isEvent = " AND \(isEvent("line"))"
    return Stage(
      "ds_uneven_ids", "an id without exactly one event in each stream: its first lines, and whether both are events",
      """
      SELECT id, old_line, new_line, coalesce(old_line = old_event AND new_line = new_event, false) AS is_pair
      FROM (
        SELECT id, \(first("old", "")) AS old_line, \(first("new", "")) AS new_line,
          \(first("old", isEvent)) AS old_event, \(first("new", isEvent)) AS new_event, count(*) AS times
        FROM ds_read AS line WHERE id IS NOT NULL GROUP BY id
      ) AS ids
      WHERE NOT coalesce(times = 2 AND old_line = old_event AND new_line = new_event, false)
      """)
  }

  private func isEvent(_ line: String) -> String { "\(line).name IS NOT NULL AND \(line).has_payload" }

  private var pairs: Stage {
    Stage(
      "ds_pairs", "an event in both streams",
      """
      SELECT old.line_number AS old_line, new.line_number AS new_line, old.name, coalesce(old.label, old.id) AS label,
        old.shape AS old_shape, new.shape AS new_shape, old.has_stamp_inside, coalesce(ds_rules.rule, 0) AS rule,
        new.name = coalesce(ds_rules.new_name, old.name) AS has_expected_name, new.moment - old.moment AS delay,
        coalesce(old.stamp, new.stamp) IS NOT NULL AS is_stamped,
        coalesce(old.stamp <> new.stamp, false) AS is_contradicted,
        coalesce(NOT ds_reaches(coalesce(old.stamp, new.stamp), 'old'), false) AS is_unexpected_in_old,
        coalesce(NOT ds_reaches(coalesce(old.stamp, new.stamp), 'new'), false) AS is_unexpected_in_new\
      \(dialect.plainLines == nil ? ",\n  old.vals AS old_vals, new.vals AS new_vals" : "")
      FROM (
      \(paired("old"))
      ) AS old
      JOIN (
      \(paired("new"))
      ) AS new ON new.id = old.id
      LEFT JOIN ds_rules ON ds_rules.name = old.name
      """)
  }

  /// The lines of a stream that have a pair.
  private func paired(_ side: String) -> String {
    """
      SELECT line.* FROM ds_read AS line LEFT JOIN ds_uneven_ids AS uneven ON uneven.id = line.id
      WHERE line.side = '\(side)' AND line.id IS NOT NULL
        AND (uneven.id IS NULL OR uneven.is_pair AND uneven.\(side)_line = line.line_number)
    """
  }

  /// The verdict on an unpaired event without a decision.
  private func verdict(_ side: String) -> String {
    loneAllowed.contains(side) ? "expected" : "lost"
  }

  private var lone: Stage {
    Stage(
      "ds_lone", "an event in one stream only, or a line that repeats an event, with its old name",
      """
      SELECT line.side, coalesce(ds_old_names.name, line.name) AS name, coalesce(line.label, line.id) AS label,
        \(Self.isFirst) AS is_first,
        line.stamp IS NOT NULL AS is_stamped, CASE
          WHEN line.stamp IS NULL THEN CASE line.side WHEN 'old' THEN '\(verdict("old"))' ELSE '\(verdict("new"))' END
          WHEN ds_reaches(line.stamp, CASE line.side WHEN 'old' THEN 'new' ELSE 'old' END) THEN 'lost'
          WHEN ds_reaches(line.stamp, line.side) THEN 'expected' ELSE 'unexpected' END AS verdict
      FROM ds_read AS line
      JOIN ds_uneven_ids AS uneven ON uneven.id = line.id
      LEFT JOIN ds_old_names ON line.side = 'new' AND ds_old_names.new_name = line.name
      WHERE \(isEvent("line")) AND NOT (uneven.is_pair AND \(Self.isFirst))
      """)
  }

  private static let isFirst =
    "line.line_number = CASE line.side WHEN 'old' THEN uneven.old_line ELSE uneven.new_line END"
}
