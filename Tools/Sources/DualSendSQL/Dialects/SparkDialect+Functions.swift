extension SparkDialect {
  /// A function: its name with the types of its parameters, the type of its value, and the expression.
  typealias Function = (signature: String, type: String, body: String)

  var functions: [String] {
    (Self.texts + Self.scalars + Self.numbers + Self.keys + Self.conversions + Self.dates + Self.paths).map {
      "CREATE OR REPLACE TEMPORARY FUNCTION \($0.signature) RETURNS \($0.type)\n  RETURN \($0.body);"
    }
  }

  private static let texts: [Function] = [
    ("ds_at(items ARRAY<STRING>, place BIGINT)", "STRING", "get(items, CAST(place - 1 AS INT))"),
    (
      "ds_slice(items ARRAY<STRING>, start BIGINT, stop BIGINT)", "ARRAY<STRING>",
      "slice(items, CAST(start AS INT), CAST(greatest(stop - start + 1, 0) AS INT))"
    ),
    ("ds_count(items ARRAY<STRING>)", "BIGINT", "array_size(items)"),
    ("ds_joined(items ARRAY<STRING>)", "STRING", "array_join(items, '')"),
    (
      "ds_numbers(stop BIGINT)", "ARRAY<BIGINT>",
      "CASE WHEN stop > 0 THEN sequence(CAST(0 AS BIGINT), stop - 1) ELSE CAST(array() AS ARRAY<BIGINT>) END"
    ),
    ("ds_starts(whole STRING, start STRING)", "BOOLEAN", "startswith(whole, start)"),
    ("ds_bytes(whole STRING)", "BIGINT", "octet_length(whole)"),
    ("ds_digest(whole STRING)", "STRING", "md5(whole)"),
    ("ds_is_blank(line STRING)", "BOOLEAN", fully("line", #"[\x00-\x20]*"#)),
    // Groups cost nothing here, and lambdas do: shape and values are read from the line itself.
    ("ds_parts(line STRING)", "STRING", "line"),
    (
      "ds_shape(line STRING)", "STRING",
      "regexp_replace(line, r'(\(SQLPattern.java.key))|\(SQLPattern.java.scalar)', '$1v')"
    ),
    (
      "ds_values(line STRING)", "ARRAY<STRING>",
      "regexp_extract_all(line, r'\(SQLPattern.java.key)|(\(SQLPattern.java.scalar))', 1)"
    ),
    ("ds_tokens(shape STRING)", "ARRAY<STRING>", "regexp_extract_all(shape, r'\(SQLPattern.java.token)', 0)"),
    ("ds_raw_key(token STRING)", "STRING", #"regexp_extract(token, r'\A"([\s\S]*)"[ \t\r\n]*:v\z', 1)"#),
    ("ds_quoted(token STRING)", "STRING", #"regexp_extract(token, r'\A("[\s\S]*")[ \t\r\n]*:v\z', 1)"#),
    ("ds_is_clean(line STRING)", "BOOLEAN", fully("line", SQLPattern.java.cleanLine)),
    ("ds_is_string(token STRING)", "BOOLEAN", fully("token", SQLPattern.java.strictString)),
    (
      "ds_text(token STRING)", "STRING",
      #"CASE WHEN contains(token, '\\') THEN get(from_json('[' || token || ']', 'array<string>'), 0) "#
        + "ELSE substr(token, 2, length(token) - 2) END"
    ),
    ("ds_is_stamp(content STRING)", "BOOLEAN", fully("content", SQLPattern.stamp) + SQLPattern.stampBounds),
    (
      "ds_stamp(token STRING)", "STRING",
      "CASE WHEN ds_is_string(token) AND ds_is_stamp(ds_text(token)) THEN ds_text(token) END"
    ),
    (
      "ds_reaches(stamp STRING, side STRING)", "BOOLEAN",
      "regexp_extract(stamp, ':([a-z]+)', 1) IN ('both', side)"
    ),
    (
      "ds_json(content STRING)", "STRING",
      "CASE WHEN content IS NOT NULL THEN regexp_extract(to_json(array(content)), r'\\A\\[([\\s\\S]*)\\]\\z', 1) END"
    ),
  ]

  private static let scalars: [Function] = [
    ("ds_is_number(token STRING)", "BOOLEAN", isNumber("token")),
    // A function of the query cannot stand in a lambda.
    (
      "ds_are_scalars(items ARRAY<STRING>)", "BOOLEAN",
      """
      coalesce(forall(items, item -> item = '' OR CASE WHEN startswith(item, '"')
          THEN \(fully("item", SQLPattern.java.strictString))
        ELSE item IN ('true', 'false', 'null') OR \(isNumber("item")) END), true)
      """
    ),
    (
      "ds_kind(scalar STRING)", "STRING",
      "CASE substr(scalar, 1, 1) WHEN '\"' THEN 's' WHEN 't' THEN 'b' WHEN 'f' THEN 'b' WHEN 'n' THEN 'z' ELSE 'd' END"
    ),
    (
      "ds_outcome(expected STRING, actual STRING)", "STRING",
      """
      CASE WHEN expected = actual THEN 'equal' WHEN ds_kind(expected) = ds_kind(actual) THEN 'valueChanged'
        ELSE 'typeChanged' END
      """
    ),
  ]

  private static let keys: [Function] = [
    // Equal for equal scalars, and for no others.
    (
      "ds_key(token STRING)", "STRING",
      #"""
      CASE WHEN startswith(token, '"')
          THEN CASE WHEN contains(token, '\\') THEN '"' || get(from_json('[' || token || ']', 'array<string>'), 0) || '"'
            ELSE token END
        WHEN token IN ('true', 'false', 'null') THEN token
        ELSE ds_number(token) END
      """#
    )
  ]

  private static let paths: [Function] = [
    ("ds_fold(path STRING)", "STRING", "path"),
    ("ds_is_folded(path STRING)", "BOOLEAN", "NOT path RLIKE r'[^\(NormalForm.pattern)]'"),
    ("ds_escaped(name STRING)", "STRING", "replace(replace(replace(name, '~', '~0'), '/', '~1'), '[', '~2')"),
    ("ds_steps(path STRING)", "ARRAY<STRING>", #"regexp_extract_all(path, r'[/\[][^/\[]*', 0)"#),
    ("ds_pattern(path STRING)", "STRING", #"regexp_replace(path, r'\[[0-9]+', '[')"#),
    ("ds_indices(path STRING)", "ARRAY<STRING>", #"regexp_extract_all(path, r'\[([0-9]+)', 1)"#),
    (
      "ds_place(target STRING, indices ARRAY<STRING>)", "STRING",
      #"""
      array_join(transform(split(target, r'\[', -1),
        (part, number) -> CASE WHEN number = 0 THEN part ELSE '[' || get(indices, number - 1) || part END), '')
      """#
    ),
    (
      "ds_shown(pattern STRING)", "STRING",
      #"""
      replace(replace(replace(regexp_replace(replace(replace(replace(pattern, '.', r'\.'), '/', '.'), '[', '[]'),
        r'\A[.]+', ''), '~2', '['), '~1', '/'), '~0', '~')
      """#
    ),
    ("ds_is_shown_exactly(pattern STRING)", "BOOLEAN", "NOT pattern RLIKE r'\(SQLPattern.unclearDot)'"),
  ]

  /// Whether all of a text matches.
  static func fully(_ text: String, _ pattern: String) -> String {
    #"\#(text) RLIKE r'\A(?:\#(pattern))\z'"#
  }

  private static func isNumber(_ token: String) -> String {
    "(\(fully(token, SQLPattern.number)) AND abs(TRY_CAST(\(token) AS DOUBLE)) < CAST('Infinity' AS DOUBLE))"
  }
}
