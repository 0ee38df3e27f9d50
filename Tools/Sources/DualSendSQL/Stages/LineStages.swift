/// Splits each line into its values and its shape: the text without scalars. Each shape is analysed once for all its lines.
struct LineStages {
  let dialect: any SQLDialect
  /// The relations of the two streams.
  let old: String
  let new: String

  /// The longest line, in bytes. Longer ones are malformed.
  private static let maximumBytes = 16 << 20

  var stages: [Stage] {
    [
      Stage(
        "ds_lines", "a line with its shape and values; keys are NULL or empty values",
        """
        SELECT side, line_number, is_clean, ds_values(parts) AS vals,
          CASE WHEN bytes <= \(Self.maximumBytes) THEN ds_digest(ds_shape(parts)) ELSE '' END AS shape
        FROM (
          SELECT side, line_number, ds_parts(line) AS parts, ds_is_clean(line) AS is_clean, ds_bytes(line) AS bytes
          FROM \(lines) WHERE NOT ds_is_blank(line)
        ) AS parted
        """),
      Stage(
        "ds_shapes", "a shape of one stream, as the tokens of its first line",
        """
        SELECT side, shape, ds_tokens(CASE WHEN times = 1 AND ds_digest(text) = shape THEN text ELSE \(unsteady) END) AS tokens
        FROM (
          SELECT side, shape, ds_shape(ds_parts(line)) AS text, times
          FROM (
            SELECT found.side, found.shape, min(lines.line) AS line, count(*) AS times
            FROM (
              SELECT side, shape, min(line_number) AS line_number FROM ds_lines WHERE shape <> '' GROUP BY side, shape
            ) AS found
            LEFT JOIN \(lines) ON lines.side = found.side AND lines.line_number = found.line_number
            GROUP BY found.side, found.shape
          ) AS first_lines
        ) AS shapes
        """),
      tokens, items, grammar,
    ]
  }

  private var unsteady: String {
    dialect.failure(
      "two lines have the same line_number, or the numbers change when a stream is read again: store the lines in a table",
      "STRING")
  }

  /// Casts line numbers that are texts, because "10" sorts before "9".
  private var lines: String {
    """
    (SELECT 'old' AS side, CAST(line_number AS BIGINT) AS line_number, line FROM \(old)
          UNION ALL SELECT 'new' AS side, CAST(line_number AS BIGINT) AS line_number, line FROM \(new)) AS lines
    """
  }

  private var tokens: Stage {
    Stage(
      "ds_tokens_of_shapes", "a token: the number of values up to it, and the depth after it",
      """
      SELECT side, shape, place, token, class,
        CAST(sum(CASE WHEN class IN ('k', 'v') THEN 1 ELSE 0 END) OVER before AS BIGINT) AS value,
        CAST(sum(CASE WHEN class IN ('{', '[') THEN 1 WHEN class IN ('}', ']') THEN -1 ELSE 0 END) OVER before AS BIGINT)
          AS depth,
        lag(class) OVER (PARTITION BY side, shape ORDER BY place) AS previous,
        lag(token) OVER (PARTITION BY side, shape ORDER BY place) AS previous_token
      FROM (
        SELECT side, shape, place, token, CASE
          WHEN substr(token, 1, 1) = '"' AND length(token) > 1 THEN 'k'
          WHEN token IN ('v', '{', '}', '[', ']', ',') THEN token ELSE 'x' END AS class
        FROM ds_shapes\(dialect.unnest("tokens", "token", "place"))
        WHERE substr(token, 1, 1) NOT IN (' ', chr(9), chr(10), chr(13))
      ) AS found
      WINDOW before AS (PARTITION BY side, shape ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
      """)
  }

  private var items: Stage {
    Stage(
      "ds_boxes", "a token: its level, and the place where its container opens",
      """
      SELECT side, shape, place, level,
        max(opening) OVER (
          PARTITION BY side, shape, level ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS box,
        opening
      FROM (
        SELECT side, shape, place, CAST(NULL AS BIGINT) AS opening,
          depth + CASE WHEN class IN ('{', '[') THEN -1 WHEN class IN ('}', ']') THEN 1 ELSE 0 END AS level
        FROM ds_tokens_of_shapes
        UNION ALL
        SELECT side, shape, place, place AS opening, depth AS level
        FROM ds_tokens_of_shapes WHERE class IN ('{', '[')
      ) AS entries
      """)
  }

  private var grammar: Stage {
    Stage(
      "ds_items", "a token: its container, and whether the grammar allows it",
      """
      SELECT token.*, boxes.level, boxes.box, box.class AS box_class,
        CASE token.class
          WHEN 'k' THEN coalesce(box.class = '{' AND token.previous IN ('{', ','), false)
          WHEN ',' THEN coalesce(box.class IS NOT NULL AND token.previous IN ('v', '}', ']'), false)
          WHEN '}' THEN coalesce(box.class = '{' AND token.previous IN ('{', 'v', '}', ']'), false)
          WHEN ']' THEN coalesce(box.class = '[' AND token.previous IN ('[', 'v', '}', ']'), false)
          WHEN 'x' THEN false
          ELSE coalesce(CASE WHEN box.class IS NULL THEN token.previous IS NULL
            WHEN box.class = '{' THEN token.previous = 'k' ELSE token.previous IN ('[', ',') END, false)
          END AS is_legal
      FROM ds_tokens_of_shapes AS token
      JOIN ds_boxes AS boxes
        ON boxes.side = token.side AND boxes.shape = token.shape AND boxes.place = token.place AND boxes.opening IS NULL
      LEFT JOIN ds_tokens_of_shapes AS box
        ON box.side = token.side AND box.shape = token.shape AND box.place = boxes.box
      """)
  }
}
