extension DuckDBDialect {
  var functions: [String] {
    (Self.macros + Self.conversions).map { "CREATE OR REPLACE TEMP MACRO \($0) AS\n  \($1);" }
  }

  private static let macros: [(String, String)] = [
    ("ds_at(items, place)", "items[place]"),
    ("ds_slice(items, start, stop)", "list_slice(items, start, stop)"),
    ("ds_count(items)", "len(items)"),
    ("ds_joined(items)", "array_to_string(items, '')"),
    ("ds_numbers(stop)", "range(stop)"),
    ("ds_starts(whole, start)", "starts_with(whole, start)"),
    ("ds_bytes(whole)", "strlen(whole)"),
    ("ds_digest(whole)", "md5(whole)"),
    ("ds_is_blank(line)", #"regexp_full_match(line, '[\x00-\x20]*')"#),
    // One pass without groups, for the engine is several times slower with one.
    ("ds_parts(line)", "regexp_extract_all(line, '\(SQLPattern.re2.part)')"),
    (
      "ds_is_value(part)",
      """
      CASE WHEN starts_with(part, '"') THEN strlen(part) > 1 ELSE contains('\(SQLPattern.bareCharacters)', part[1]) END
      """
    ),
    (
      "ds_shape(parts)",
      """
      array_to_string(list_transform(parts, lambda part: CASE WHEN NOT ds_is_value(part) THEN part
        WHEN ends_with(part, ':') THEN part || 'v' ELSE 'v' END), '')
      """
    ),
    (
      "ds_values(parts)",
      """
      list_transform(list_filter(parts, lambda part: ds_is_value(part)),
        lambda part: CASE WHEN NOT ends_with(part, ':') THEN part END)
      """
    ),
    ("ds_tokens(shape)", "regexp_extract_all(shape, '\(SQLPattern.re2.token)')"),
    ("ds_raw_key(token)", #"regexp_extract(token, '^"([\s\S]*)"[ \t\r\n]*:v$', 1)"#),
    ("ds_quoted(token)", #"regexp_extract(token, '^("[\s\S]*")[ \t\r\n]*:v$', 1)"#),
    ("ds_is_clean(line)", "regexp_full_match(line, '\(SQLPattern.re2.cleanLine)')"),
    ("ds_is_string(token)", "regexp_full_match(token, '\(SQLPattern.re2.strictString)')"),
    (
      "ds_is_number(token)",
      "regexp_full_match(token, '\(SQLPattern.number)') AND isfinite(TRY_CAST(token AS DOUBLE))"
    ),
    (
      "ds_is_scalar(token)",
      """
      CASE WHEN starts_with(token, '"') THEN ds_is_string(token)
        WHEN token IN ('true', 'false', 'null') THEN true
        ELSE ds_is_number(token) END
      """
    ),
    (
      "ds_are_scalars(items)",
      "coalesce(list_bool_and(list_transform(items, lambda item: item IS NULL OR ds_is_scalar(item))), true)"
    ),
    (
      "ds_text(token)",
      #"CASE WHEN contains(token, '\') THEN json_extract_string(token, '$') ELSE substr(token, 2, length(token) - 2) END"#
    ),
    ("ds_is_stamp(content)", "regexp_full_match(content, '\(SQLPattern.stamp)')" + SQLPattern.stampBounds),
    ("ds_stamp(token)", "CASE WHEN ds_is_string(token) AND ds_is_stamp(ds_text(token)) THEN ds_text(token) END"),
    ("ds_reaches(stamp, side)", #"regexp_extract(stamp, ':([a-z]+)', 1) IN ('both', side)"#),
    ("ds_is_whole(token)", "regexp_full_match(token, '-?[0-9]+')"),
    (
      "ds_is_integer(token)",
      """
      regexp_full_match(token, '-?[0-9]{1,18}') OR (regexp_full_match(token, '-?[0-9]{19,20}')
        AND TRY_CAST(token AS HUGEINT) BETWEEN -9223372036854775808 AND 18446744073709551615)
      """
    ),
    // The shortest digits that read back as the same double, without the point.
    ("ds_mantissa(number)", "regexp_extract(CAST(abs(number) AS STRING), '^[0-9.]+')"),
    ("ds_digits(number)", "regexp_replace(regexp_replace(ds_mantissa(number), '^0?[.]?0*|[.]', '', 'g'), '0+$', '')"),
    // Where the point stands: the number is 0.DIGITS times ten to this power.
    (
      "ds_point(number)",
      """
      CASE WHEN contains(CAST(number AS STRING), 'e')
          THEN CAST(regexp_extract(CAST(number AS STRING), 'e([-+][0-9]+)$', 1) AS INTEGER) + 1
        WHEN abs(number) >= 1 THEN length(regexp_extract(ds_mantissa(number), '^[0-9]+'))
        ELSE -length(regexp_extract(ds_mantissa(number), '^0[.](0*)', 1)) END
      """
    ),
    (
      "ds_layout(digits, point)",
      """
      CASE WHEN point BETWEEN length(digits) AND 21 THEN digits || repeat('0', point - length(digits))
        WHEN point BETWEEN 1 AND 21 THEN substr(digits, 1, point) || '.' || substr(digits, point + 1)
        WHEN point BETWEEN -5 AND 0 THEN '0.' || repeat('0', -point) || digits
        ELSE substr(digits, 1, 1) || CASE WHEN length(digits) > 1 THEN '.' || substr(digits, 2) ELSE '' END
          || 'e' || CASE WHEN point > 0 THEN '+' ELSE '' END || CAST(point - 1 AS STRING) END
      """
    ),
    (
      "ds_double(number)",
      """
      CASE WHEN number = trunc(number) AND abs(number) <= 9007199254740992 THEN CAST(TRY_CAST(number AS BIGINT) AS STRING)
        ELSE CASE WHEN number < 0 THEN '-' ELSE '' END || ds_layout(ds_digits(number), ds_point(number)) END
      """
    ),
    // A number's canonical text.
    (
      "ds_number(token)",
      """
      CASE WHEN ds_is_integer(token) THEN CASE WHEN token = '-0' THEN '0' ELSE token END
        ELSE ds_double(TRY_CAST(token AS DOUBLE)) END
      """
    ),
    // Equal for equal scalars, and for no others.
    (
      "ds_key(token)",
      """
      CASE WHEN starts_with(token, '"')
          THEN CASE WHEN contains(token, '\\') THEN '"' || json_extract_string(token, '$') || '"' ELSE token END
        WHEN token IN ('true', 'false', 'null') THEN token
        ELSE ds_number(token) END
      """
    ),
    (
      "ds_kind(scalar)",
      "CASE substr(scalar, 1, 1) WHEN '\"' THEN 's' WHEN 't' THEN 'b' WHEN 'f' THEN 'b' WHEN 'n' THEN 'z' ELSE 'd' END"
    ),
    (
      "ds_outcome(expected, actual)",
      """
      CASE WHEN expected = actual THEN 'equal' WHEN ds_kind(expected) = ds_kind(actual) THEN 'valueChanged'
        ELSE 'typeChanged' END
      """
    ),
    // For the engine a text ends at U+0000 there.
    ("ds_fold(path)", "nfc_normalize(replace(path, chr(0), '~3'))"),
    ("ds_escaped(name)", "replace(replace(replace(name, '~', '~0'), '/', '~1'), '[', '~2')"),
    ("ds_steps(path)", #"regexp_extract_all(path, '[/\[][^/\[]*')"#),
    ("ds_pattern(path)", #"regexp_replace(path, '\[[0-9]+', '[', 'g')"#),
    ("ds_indices(path)", #"regexp_extract_all(path, '\[([0-9]+)', 1)"#),
    (
      "ds_place(target, indices)",
      """
      array_to_string(list_transform(string_split(target, '['),
        lambda part, number: CASE WHEN number = 1 THEN part ELSE '[' || indices[number - 1] || part END), '')
      """
    ),
    (
      "ds_shown(pattern)",
      #"""
      replace(replace(replace(regexp_replace(replace(replace(replace(pattern, '.', '\.'), '/', '.'), '[', '[]'),
        '^[.]+', ''), '~2', '['), '~1', '/'), '~0', '~')
      """#
    ),
    ("ds_is_shown_exactly(pattern)", "NOT regexp_matches(pattern, '\(SQLPattern.unclearDot)')"),
    ("ds_json(content)", "CAST(to_json(content) AS STRING)"),
  ]
}
