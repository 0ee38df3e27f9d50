/// A function of the query: its name with the types of its parameters, the type of its value, and the expression.
typealias QueryFunction = (signature: String, type: String, body: String)

/// The functions `ds_…` that the query defines first. Both engines share these expressions.
struct QueryFunctions {
  let dialect: any SQLDialect

  /// The statements that define all functions. A function follows those that it calls.
  var statements: [String] {
    (dialect.texts + texts + digits + dialect.numbers + numbers + paths + conversions + dates).map(dialect.definition)
  }

  var starts: String { dialect.startsWith }
  var divided: String { dialect.division }

  private var texts: [QueryFunction] {
    [
      ("ds_is_blank(line STRING)", "BOOLEAN", dialect.fully("line", #"[\x00-\x20]*"#)),
      (
        "ds_tokens(shape STRING)", "ARRAY<STRING>",
        "regexp_extract_all(shape, \(dialect.literal(dialect.pattern.token)), 0)"
      ),
      (
        "ds_raw_key(token STRING)", "STRING",
        "regexp_extract(token, \(dialect.literal(#"\A"([\s\S]*)"[ \t\r\n]*:v\z"#)), 1)"
      ),
      (
        "ds_quoted(token STRING)", "STRING",
        "regexp_extract(token, \(dialect.literal(#"\A("[\s\S]*")[ \t\r\n]*:v\z"#)), 1)"
      ),
      ("ds_is_clean(line STRING)", "BOOLEAN", dialect.fully("line", dialect.pattern.cleanLine)),
      ("ds_is_string(token STRING)", "BOOLEAN", dialect.fully("token", dialect.pattern.strictString)),
      (
        "ds_text(token STRING)", "STRING",
        "CASE WHEN \(dialect.hasEscape("token")) THEN \(dialect.decoded("token")) ELSE substr(token, 2, length(token) - 2) END"
      ),
      ("ds_is_stamp(content STRING)", "BOOLEAN", dialect.fully("content", SQLPattern.stamp) + SQLPattern.stampBounds),
      (
        "ds_stamp(token STRING)", "STRING",
        "CASE WHEN ds_is_string(token) AND ds_is_stamp(ds_text(token)) THEN ds_text(token) END"
      ),
      (
        "ds_reaches(stamp STRING, side STRING)", "BOOLEAN",
        "regexp_extract(stamp, ':([a-z]+)', 1) IN ('both', side)"
      ),
      ("ds_is_number(token STRING)", "BOOLEAN", dialect.isNumber("token")),
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
  }

  /// The digits of a positive double and the place of its point, from the engine's own text of it.
  private var digits: [QueryFunction] {
    [
      ("ds_own_text(number DOUBLE)", "STRING", "CAST(abs(number) AS STRING)"),
      ("ds_mantissa(own STRING)", "STRING", "regexp_extract(own, '^[0-9.]+', 0)"),
      (
        "ds_digits(own STRING)", "STRING",
        dialect.replaced(dialect.replaced("ds_mantissa(own)", #"\A0?[.]?0*|[.]"#, by: ""), #"0+\z"#, by: "")
      ),
      // The position of the point: the number is 0.DIGITS times ten to this power.
      (
        "ds_point(own STRING)", "INT",
        """
        CASE WHEN contains(lower(own), 'e')
            THEN TRY_CAST(regexp_extract(own, \(dialect.literal(#"[eE]([-+]?[0-9]+)\z"#)), 1) AS INT) + 1
          WHEN \(starts)(own, '0.') THEN -length(regexp_extract(own, '^0[.](0*)', 1))
          ELSE length(regexp_extract(own, '^[0-9]+', 0)) END
        """
      ),
      ("ds_layout(digits STRING, point INT)", "STRING", Self.layout("digits", "point")),
    ]
  }

  /// Digits with a point as canonical text.
  static func layout(_ digits: String, _ point: String) -> String {
    """
    CASE WHEN \(point) BETWEEN length(\(digits)) AND 21 THEN \(digits) || repeat('0', \(point) - length(\(digits)))
      WHEN \(point) BETWEEN 1 AND 21 THEN substr(\(digits), 1, \(point)) || '.' || substr(\(digits), \(point) + 1)
      WHEN \(point) BETWEEN -5 AND 0 THEN '0.' || repeat('0', -\(point)) || \(digits)
      ELSE substr(\(digits), 1, 1) || CASE WHEN length(\(digits)) > 1 THEN '.' || substr(\(digits), 2) ELSE '' END
        || 'e' || CASE WHEN \(point) > 0 THEN '+' ELSE '' END || CAST(\(point) - 1 AS STRING) END
    """
  }

  private var numbers: [QueryFunction] {
    [
      (
        "ds_double(number DOUBLE)", "STRING",
        """
        CASE WHEN number = ds_trunc(number) AND abs(number) <= 9007199254740992 THEN CAST(TRY_CAST(number AS BIGINT) AS STRING)
          ELSE CASE WHEN number < 0 THEN '-' ELSE '' END || ds_positive(abs(number), ds_own_text(number)) END
        """
      ),
      // The canonical text of a number.
      (
        "ds_number(token STRING)", "STRING",
        """
        CASE WHEN ds_is_integer(token) THEN CASE WHEN token = '-0' THEN '0' ELSE token END
          ELSE ds_double(TRY_CAST(token AS DOUBLE)) END
        """
      ),
      // Scalars are equal if and only if their keys are.
      (
        "ds_key(token STRING)", "STRING",
        """
        CASE WHEN \(starts)(token, '"')
            THEN CASE WHEN \(dialect.hasEscape("token")) THEN '"' || \(dialect.decoded("token")) || '"' ELSE token END
          WHEN token IN ('true', 'false', 'null') THEN token
          ELSE ds_number(token) END
        """
      ),
    ]
  }

  private var paths: [QueryFunction] {
    [
      ("ds_escaped(name STRING)", "STRING", "replace(replace(replace(name, '~', '~0'), '/', '~1'), '[', '~2')"),
      (
        "ds_steps(path STRING)", "ARRAY<STRING>",
        "regexp_extract_all(path, \(dialect.literal(#"[/\[][^/\[]*"#)), 0)"
      ),
      ("ds_pattern(path STRING)", "STRING", dialect.replaced("path", #"\[[0-9]+"#, by: "[")),
      (
        "ds_indices(path STRING)", "ARRAY<STRING>",
        "regexp_extract_all(path, \(dialect.literal(#"\[([0-9]+)"#)), 1)"
      ),
      (
        "ds_shown(pattern STRING)", "STRING",
        """
        replace(replace(replace(\(dialect.replaced(dotted, #"\A[.]+"#, by: "")), '~2', '['), '~1', '/'), '~0', '~')
        """
      ),
      (
        "ds_is_shown_exactly(pattern STRING)", "BOOLEAN",
        "regexp_extract(pattern, \(dialect.literal(SQLPattern.unclearDot)), 0) = ''"
      ),
    ]
  }

  /// A pattern's steps in the notation of remapping tables.
  private var dotted: String {
    let dot = dialect.literal("\\.") as String
    return "replace(replace(replace(pattern, '.', \(dot)), '/', '.'), '[', '[]')"
  }
}
