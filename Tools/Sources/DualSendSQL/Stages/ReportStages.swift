import DualSendCore

/// The report as one JSON text, with the same members as `dualsend parity --format json`.
struct ReportStages {
  let dialect: any SQLDialect
  let options: ComparisonOptions

  private static let examples = 5

  var stages: [Stage] {
    [shownExamples, fieldTexts, fieldLists, exampleLists, eventTexts, malformed, refused]
      + GateStages(dialect: dialect, gate: options.gate).stages
  }

  /// The statement that returns the report, or the reasons why there is no exact report.
  var result: String {
    """
    -- the report, or `refused`: the reasons why a query cannot give the same report as `dualsend parity`
    SELECT CASE WHEN refused.text IS NOT NULL THEN '{"refused":[' || refused.text || ']}' ELSE \(report) END AS report
    FROM (SELECT coalesce(\(dialect.joined("text", by: "name", separator: ",")), '') AS text FROM ds_event_texts) AS events
    CROSS JOIN (\(totals)) AS total
    CROSS JOIN (\(stream("old"))) AS old_stream
    CROSS JOIN (\(stream("new"))) AS new_stream
    CROSS JOIN (\(GateStages(dialect: dialect, gate: options.gate).summary)) AS gate
    CROSS JOIN (SELECT \(dialect.joined("text", by: "text", separator: ",")) AS text FROM ds_refused) AS refused;
    """
  }

  private var report: String {
    object([
      ("formatVersion", "'4'"), ("join", dialect.literal(options.joinJSON)),
      ("membership", dialect.literal(options.membershipJSON)), ("gate", "gate.text"), ("calibrated", "'false'"),
      ("old", "old_stream.text"), ("new", "new_stream.text"), ("total", "total.text"),
      ("events", "'[' || events.text || ']'"),
    ])
  }

  private var totals: String {
    let members =
      Self.counts.map { ($0, number("coalesce(sum(\($1)), 0)")) } + [
        ("medianDelay", "coalesce(\(number("(\(CountStages.medianDelays(byName: false)))")), 'null')")
      ]
    return "SELECT \(object(members)) AS text FROM ds_events"
  }

  private func stream(_ side: String) -> String {
    let members = object([
      ("lines", number("(SELECT count(*) FROM ds_lines WHERE side = '\(side)')")), ("malformed", number("count(*)")),
      (
        "malformedLines",
        "'[' || coalesce(\(dialect.joined("CASE WHEN position <= \(Self.examples) THEN CAST(line_number AS STRING) END", by: "line_number", separator: ",")), '') || ']'"
      ),
    ])
    return "SELECT \(members) AS text FROM ds_malformed WHERE side = '\(side)'"
  }

  /// The counts: JSON key and column of `ds_events`.
  private static let counts =
    CountStages.counts.map { ($0.key, CountStages.column($0.key)) } + [
      ("differing", "differing_before_noise"), ("failing", "failing_before_noise"),
    ]

  /// The lists of ids: JSON key and kind in `ds_examples`.
  private static let kinds = [
    ("oldOnlyExamples", "old"), ("newOnlyExamples", "new"), ("lostExamples", "lost"),
    ("unexpectedExamples", "unexpected"), ("contradictingExamples", "contradicting"),
  ]

  private var shownExamples: Stage {
    Stage(
      "ds_examples", "the smallest ids of unpaired, unexpected and contradicted events, by name",
      """
      SELECT name, kind, label FROM (
        SELECT name, kind, label, row_number() OVER (PARTITION BY name, kind ORDER BY label) AS position
        FROM (
          SELECT name, side AS kind, label FROM ds_lone WHERE is_first
          UNION SELECT name, verdict AS kind, label FROM ds_lone WHERE is_first AND verdict <> 'expected'
          UNION SELECT name, 'unexpected' AS kind, label FROM ds_pairs WHERE is_unexpected_in_old OR is_unexpected_in_new
          UNION SELECT name, 'contradicting' AS kind, label FROM ds_pairs WHERE is_contradicted
        ) AS shown
      ) AS ranked WHERE position <= \(Self.examples)
      """)
  }

  private var fieldTexts: Stage {
    let outcomes = ["equal", "missing", "extra", "typeChanged", "valueChanged", "ignored"]
    let members =
      [("path", "ds_json(ds_shown(pattern))"), ("noise", "'0'"), ("examples", "'[' || coalesce(examples, '') || ']'")]
      + outcomes.map { ($0, number("sum(CASE WHEN outcome = '\($0)' THEN times ELSE 0 END)")) }
    return Stage(
      "ds_field_texts", "a field as JSON",
      """
      SELECT name, pattern, ds_shown(pattern) AS path, \(object(members)) AS text
      FROM (
        SELECT field.*, shown.examples FROM ds_fields AS field
        LEFT JOIN (
          SELECT name, pattern, \(dialect.joined("ds_json(label)", by: "label", separator: ",")) AS examples
          FROM ds_field_examples GROUP BY name, pattern
        ) AS shown ON shown.name = field.name AND shown.pattern = field.pattern
      ) AS fields GROUP BY name, pattern, examples
      """)
  }

  private var fieldLists: Stage {
    Stage(
      "ds_field_lists", "the fields of an event as JSON",
      """
      SELECT name, \(dialect.joined("text", by: "path, pattern", separator: ",")) AS text FROM ds_field_texts GROUP BY name
      """)
  }

  private var exampleLists: Stage {
    Stage(
      "ds_example_lists", "the ids of a kind as JSON",
      """
      SELECT name, kind, \(dialect.joined("ds_json(label)", by: "label", separator: ",")) AS text
      FROM ds_examples GROUP BY name, kind
      """)
  }

  private var eventTexts: Stage {
    let members =
      Self.counts.map { ($0, number("event." + $1)) }
      + Self.kinds.map { ($0, "'[' || coalesce(\($1)_ids.text, '') || ']'") } + [
        ("name", "ds_json(event.name)"), ("newName", "ds_json(coalesce(ds_rules.new_name, event.name))"),
        ("fields", "'[' || coalesce(fields.text, '') || ']'"),
        ("medianDelay", "coalesce(\(number("delays.delay")), 'null')"),
      ]
    let lists = Self.kinds.map { _, kind in
      "LEFT JOIN ds_example_lists AS \(kind)_ids ON \(kind)_ids.name = event.name AND \(kind)_ids.kind = '\(kind)'"
    }
    return Stage(
      "ds_event_texts", "an event as JSON",
      """
      SELECT event.name, \(object(members)) AS text
      FROM ds_events AS event
      LEFT JOIN ds_rules ON ds_rules.name = event.name
      LEFT JOIN ds_field_lists AS fields ON fields.name = event.name
      LEFT JOIN (\(CountStages.medianDelays(byName: true))) AS delays ON delays.name = event.name
      \(lists.joined(separator: "\n"))
      """)
  }

  private var malformed: Stage {
    Stage(
      "ds_malformed", "a line that is not a valid event, or has no id",
      """
      SELECT side, line_number, row_number() OVER (PARTITION BY side ORDER BY line_number) AS position
      FROM ds_read WHERE id IS NULL OR name IS NULL OR NOT has_payload
      """)
  }

  /// Numbers are counted by blocks of 62, in which a bit of an integer counts each number once: there are few blocks, while
  /// a set of all numbers takes longer than the join.
  private var refused: Stage {
    Stage(
      "ds_refused", "a reason why there is no exact report, as JSON",
      """
      SELECT \(object([("event", "ds_json(name)"), ("reason", "ds_json(reason)")])) AS text FROM (
        SELECT name, 'more than 2,000 fields' AS reason
        FROM (
          SELECT DISTINCT pairs.name, visited.pattern
          FROM (SELECT DISTINCT name, pairing FROM ds_judged) AS pairs
          JOIN ds_visited AS visited ON visited.pairing = pairs.pairing
        ) AS fields GROUP BY name HAVING count(*) > 2000
        UNION ALL
        SELECT DISTINCT name, 'a key has a dot next to a character that may combine with it' AS reason
        FROM ds_fields WHERE NOT ds_is_shown_exactly(pattern)
        UNION ALL
        SELECT '', 'more than 10,000 events' FROM ds_events HAVING count(*) > 10000
        UNION ALL
        SELECT '', 'lines of the ' || side || ' stream have the same line_number, or none' FROM (
          SELECT side, count(*) AS lines,
            bit_count(bit_or(CAST(1 AS BIGINT) << CAST(abs(line_number % 62) AS INTEGER))) AS numbers
          FROM ds_lines GROUP BY side, line_number \(dialect.division) 62, line_number < 0
        ) AS blocks GROUP BY side HAVING sum(lines) <> sum(coalesce(numbers, 0))
      \(dialect.knowsNormalForms ? "" : unfolded)) AS reasons
      """)
  }

  private var unfolded: String {
    """
        UNION ALL
        SELECT DISTINCT coalesce(line.name, ''), 'a key has a character that may combine with another in Unicode'
        FROM ds_read AS line
        JOIN (SELECT DISTINCT side, shape FROM ds_nodes WHERE NOT ds_is_folded(step)) AS unclear
          ON unclear.side = line.side AND unclear.shape = line.shape

    """
  }

  private func number(_ expression: String) -> String { "CAST(CAST(\(expression) AS BIGINT) AS STRING)" }

  private func object(_ members: [(String, String)]) -> String { Self.object(members) }

  /// An expression for an object with sorted keys.
  static func object(_ members: [(String, String)]) -> String {
    let sorted = members.sorted { $0.0 < $1.0 }
    let parts = sorted.enumerated().map { "'\($0.offset == 0 ? "{" : ",")\"\($0.element.0)\":' || \($0.element.1)" }
    return parts.joined(separator: " || ") + " || '}'"
  }
}
