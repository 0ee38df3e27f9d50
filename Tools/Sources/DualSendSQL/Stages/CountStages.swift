/// Computes the counts of the report.
struct CountStages {
  let dialect: any SQLDialect

  /// The most examples in each list.
  private static let examples = 5

  var stages: [Stage] { [failing, events, delays, fields, fieldExamples] }

  private var failing: Stage {
    Stage(
      "ds_failing", "a pair with a different field",
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

  /// The counts by their keys in the report, as conditions for pairs (over `pair` and `failing`) and for unpaired events (over
  /// `ds_lone`). Counts without a condition are 0.
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
      "ds_events", "the counts of an event",
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

  /// Delays truncated to three significant digits, as in `dualsend parity`.
  private var delays: Stage {
    let digits = (4...16).map { count in
      "WHEN abs(delay) < \(power(count)) THEN delay - delay % \(power(count - 3))"
    }
    return Stage(
      "ds_delays", "a delay of an event's pairs, and its count",
      """
      SELECT name, delay, count(*) AS times FROM (
        SELECT name, CASE WHEN abs(delay) < 1000 THEN delay \(digits.joined(separator: " ")) END AS delay
        FROM ds_pairs WHERE delay IS NOT NULL
      ) AS delays GROUP BY name, delay
      """)
  }

  private func power(_ exponent: Int) -> String { "1" + String(repeating: "0", count: exponent) }

  /// The query for the median delay, the lower of two, of each event or of all events.
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

  /// The column of a count: `lost_from_new` for `lostFromNew`.
  static func column(_ key: String) -> String {
    key.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
  }

  private var fields: Stage {
    Stage(
      "ds_fields", "the count of an outcome of a field",
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
      "ds_field_examples", "the smallest ids of events in which a field differs",
      """
      SELECT name, pattern, label FROM (
        SELECT name, pattern, label, row_number() OVER (PARTITION BY name, pattern ORDER BY label) AS position
        FROM (
          SELECT differing.name, differing.pattern, pair.label FROM ds_differing AS differing
          JOIN ds_pairs AS pair ON pair.old_line = differing.old_line
          UNION
          SELECT pair.name, plan.pattern, pair.label
          FROM (
            SELECT DISTINCT name, pairing, label FROM (
              SELECT pair.name, pairing, label,
                dense_rank() OVER (PARTITION BY pair.name, pairing ORDER BY label) AS position
              \(ValueStages.cases)
              WHERE pairing IN (SELECT pairing FROM ds_plan WHERE outcome IN ('missing', 'extra', 'typeChanged'))
            ) AS ranked WHERE position <= \(Self.examples)
          ) AS pair
          JOIN ds_plan AS plan ON plan.pairing = pair.pairing AND plan.outcome IN ('missing', 'extra', 'typeChanged')
        ) AS shown
      ) AS ranked WHERE position <= \(Self.examples)
      """)
  }
}
