/// What the gate says of each event: its verdict and its bound.
struct GateStages {
  let dialect: any SQLDialect
  let gate: GateRule

  var stages: [Stage] { [trials, bounds, verdicts] }

  private var expressions: BoundExpressions { BoundExpressions(dialect: dialect) }

  private var upper: String {
    expressions.upper("a", "b", share: "share", risk: gate.risk.sqlLiteral, logBeta: "log_beta")
  }

  private var trials: Stage {
    Stage(
      "ds_trials", "a number of failures among so many that are judged",
      """
      SELECT failing, judged, a, b, CAST(failing AS DOUBLE) / CAST(judged AS DOUBLE) AS share,
        \(expressions.logBeta("a", "b")) AS log_beta
      FROM (
        SELECT DISTINCT failing_before_noise AS failing, judged, CAST(judged - failing_before_noise AS DOUBLE) AS a,
          CAST(failing_before_noise + 1 AS DOUBLE) AS b
        FROM ds_events WHERE judged > 0 AND failing_before_noise < judged
      ) AS trials
      """)
  }

  private var bounds: Stage {
    Stage(
      "ds_bounds", "the largest share of failures that the trials do not contradict",
      """
      SELECT failing, judged, \(upper) AS bound, \(isShown) AS is_shown FROM ds_trials
      """)
  }

  /// Whether the trials show that the share is within the limit.
  private var isShown: String {
    switch gate.limit {
    case 0: "false"
    case 1_000_000...: "true"
    default:
      expressions.chance("a", "b", share: (Double(gate.limit) / 1_000_000).sqlLiteral, logBeta: "log_beta")
        + " <= \(gate.risk.sqlLiteral)"
    }
  }

  private var verdicts: Stage {
    Stage(
      "ds_verdicts", "an event: what the gate says of it",
      """
      SELECT name, coalesce(bound, 1e0) AS bound, CASE
        WHEN CAST(failing AS DECIMAL(38, 0)) * 1000000 > CAST(judged AS DECIMAL(38, 0)) * \(gate.limit) THEN 'tooManyFailures'
        WHEN \(gate.limit) IN (0, 1000000) OR coalesce(is_shown, false) THEN 'passes'
        ELSE 'tooLittleEvidence' END AS verdict
      FROM (
        SELECT event.name, event.failing_before_noise AS failing, event.judged, bounds.bound, bounds.is_shown
        FROM ds_events AS event
        LEFT JOIN ds_bounds AS bounds ON bounds.failing = event.failing_before_noise AND bounds.judged = event.judged
        WHERE event.judged > 0
      ) AS events
      """)
  }

  /// A query for the gate's part of the report.
  var summary: String {
    let event = ReportStages.object([
      ("name", "ds_json(name)"), ("verdict", "ds_json(verdict)"), ("bound", "ds_double(bound)"),
    ])
    let passes = """
      CASE WHEN count(*) > 0 AND bool_and(verdict = 'passes')
        AND (SELECT count(*) FROM ds_malformed) <= \(gate.maximumMalformed)
        AND (SELECT count(*) FROM ds_pairs WHERE is_contradicted) = 0 THEN 'true' ELSE 'false' END
      """
    let text = ReportStages.object([
      ("limit", dialect.literal("\"\(gate.limitText)\"")), ("looks", "'\(gate.looks)'"),
      ("maximumMalformed", "'\(gate.maximumMalformed)'"), ("passes", passes),
      ("events", "'[' || coalesce(\(dialect.joined(event, by: "name", separator: ",")), '') || ']'"),
    ])
    return "SELECT \(text) AS text FROM ds_verdicts"
  }
}

extension Double {
  /// A literal of type DOUBLE.
  fileprivate var sqlLiteral: String { "CAST('\(self)' AS DOUBLE)" }
}
