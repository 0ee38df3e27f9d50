/// Splits each line into its values and its shape: the text without scalars. Each shape is analysed once for all its lines.
struct LineStages {
  let dialect: any SQLDialect
  let old: StreamForm
  let new: StreamForm
  /// The path of the id in the old payload; `nil` for the line's `eventId`.
  let idPattern: String?

  /// The longest line, in bytes. Longer ones are malformed.
  static let maximumBytes = 16 << 20

  var stages: [Stage] {
    [
      Stage(
        "ds_lines",
        "a line with its shape and values" + (plain == nil ? "" : "; of a plain line, only those beside the payload"),
        split(old) + "\nUNION ALL\n" + split(new)),
      Stage(
        "ds_firsts", "the first line of a shape of one stream",
        """
        SELECT side, shape, min(line_number) AS line_number FROM ds_lines WHERE shape IS NOT NULL GROUP BY side, shape
        """),
      Stage(
        "ds_shapes", "a shape of one stream, as the tokens of its first line",
        """
        SELECT side, shape, is_plain,
          ds_tokens(CASE WHEN times = 1 AND digest = shape THEN text ELSE \(unsteady) END) AS tokens
        FROM (
        \(firstLines(old))
        UNION ALL
        \(firstLines(new))
        ) AS shapes
        """),
      tokens, items, grammar,
    ]
  }

  private var plain: PlainLines? { dialect.plainLines }

  private func split(_ stream: StreamForm) -> String {
    guard let plain else {
      return """
        SELECT '\(stream.side)' AS side, line_number, is_simple OR ds_is_clean(line) AS is_clean,
          CASE WHEN is_simple THEN ds_simple_values(line) ELSE ds_values(ds_parts(line)) END AS vals,
          \(shape("ds_digest(CASE WHEN is_simple THEN ds_simple_shape(line) ELSE ds_shape(ds_parts(line)) END)")) AS shape
        FROM (
          SELECT CAST(line_number AS BIGINT) AS line_number, line, ds_is_simple(line) AS is_simple
          FROM \(stream.relation) WHERE NOT ds_is_blank(line)
        ) AS lines
        """
    }
    let heads = PlainLines.Head.allCases.enumerated().map { "ds_at(heads, \($0.offset + 1)) AS \($0.element.column)" }
    return """
      SELECT '\(stream.side)' AS side, line_number, is_clean, \(heads.joined(separator: ", ")), vals, shape
      FROM (
        SELECT line_number, CASE WHEN is_plain THEN true ELSE ds_is_clean(line) END AS is_clean,
          CASE WHEN is_plain THEN \(plain.heads(stream, idPattern, dialect)) END AS heads,
          CASE WHEN NOT is_plain THEN ds_values(ds_parts(line)) END AS vals,
          \(shape(plain.digest(stream))) AS shape
        FROM (
          SELECT CAST(line_number AS BIGINT) AS line_number, line, \(plain.isPlain(stream)) AS is_plain
          FROM \(stream.relation)
        ) AS lines
        WHERE is_plain OR NOT ds_is_blank(line)
      ) AS lines
      """
  }

  private func shape(_ digest: String) -> String {
    "CASE WHEN ds_bytes(line) <= \(Self.maximumBytes) THEN \(digest) END"
  }

  /// The first line of each shape, with the shape's text and digest.
  private func firstLines(_ stream: StreamForm) -> String {
    """
      SELECT side, shape, is_plain, times, \(plain?.text(stream) ?? "ds_shape(ds_parts(line))") AS text,
        \(plain?.digest(stream) ?? "ds_digest(ds_shape(ds_parts(line)))") AS digest
      FROM (
        SELECT first_lines.*, \(plain?.isPlain(stream) ?? "false") AS is_plain FROM (
          SELECT found.side, found.shape, min(lines.line) AS line, count(*) AS times
          FROM ds_firsts AS found
          LEFT JOIN (
            SELECT * FROM (SELECT CAST(line_number AS BIGINT) AS line_number, line FROM \(stream.relation)) AS numbered
            WHERE line_number IN (SELECT line_number FROM ds_firsts WHERE side = '\(stream.side)')
          ) AS lines ON lines.line_number = found.line_number
          WHERE found.side = '\(stream.side)' GROUP BY found.side, found.shape
        ) AS first_lines
      ) AS \(stream.side)_shapes
    """
  }

  private var unsteady: String {
    dialect.failure(
      "two lines have the same line_number, or the numbers change when a stream is read again: store the lines in a table",
      "STRING")
  }

  private var tokens: Stage {
    Stage(
      "ds_tokens_of_shapes", "a token: the number of scalars up to it, and the depth after it",
      """
      SELECT side, shape, place, token, class,
        CAST(sum(CASE WHEN class = 'v' THEN 1 ELSE 0 END) OVER before AS BIGINT) AS value,
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
