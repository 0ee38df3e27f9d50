extension DuckDBDialect {
  /// A macro has no types.
  func definition(_ function: QueryFunction) -> String {
    let parts = function.signature.dropLast().split(separator: "(")
    let names = parts[1].split(separator: ",").map { $0.split(separator: " ")[0] }
    return "CREATE OR REPLACE TEMP MACRO \(parts[0])(\(names.joined(separator: ", "))) AS\n  \(function.body);"
  }

  var texts: [QueryFunction] {
    [
      ("ds_at(items ARRAY<STRING>, place BIGINT)", "STRING", "items[place]"),
      (
        "ds_slice(items ARRAY<STRING>, start BIGINT, stop BIGINT)", "ARRAY<STRING>", "list_slice(items, start, stop)"
      ),
      ("ds_count(items ARRAY<STRING>)", "BIGINT", "len(items)"),
      ("ds_joined(items ARRAY<STRING>)", "STRING", "array_to_string(items, '')"),
      ("ds_numbers(stop BIGINT)", "ARRAY<BIGINT>", "range(stop)"),
      // 64 bits, of a text or a list. Two of 10,000 shapes have the same digest with a probability of 3e-12.
      ("ds_digest(whole STRING)", "STRING", "hash(whole)"),
      ("ds_starts(whole STRING, start STRING)", "BOOLEAN", "starts_with(whole, start)"),
      ("ds_bytes(whole STRING)", "BIGINT", "strlen(whole)"),
      // One pass without groups, which are several times slower in this engine.
      ("ds_parts(line STRING)", "ARRAY<STRING>", "regexp_extract_all(line, '\(pattern.part)')"),
      (
        "ds_is_value(part STRING)", "BOOLEAN",
        """
        CASE WHEN starts_with(part, '"') THEN strlen(part) > 1 ELSE contains('\(SQLPattern.bareCharacters)', part[1]) END
        """
      ),
      (
        "ds_shape(parts ARRAY<STRING>)", "STRING",
        """
        array_to_string(list_transform(parts, lambda part: CASE WHEN NOT ds_is_value(part) THEN part
          WHEN ends_with(part, ':') THEN part || 'v' ELSE 'v' END), '')
        """
      ),
      (
        "ds_values(parts ARRAY<STRING>)", "ARRAY<STRING>",
        """
        list_filter(parts, lambda part: ds_is_value(part) AND NOT ends_with(part, ':'))
        """
      ),
      (
        "ds_is_plain(line STRING, payload STRING)", "BOOLEAN",
        """
        strlen(line) <= \(LineStages.maximumBytes)
          AND regexp_full_match(line, '\(pattern.plainLine.start)' || payload || '\(pattern.plainLine.end)')
        """
      ),
      (
        "ds_plain_heads(line STRING, paths ARRAY<STRING>)", "ARRAY<STRING>",
        "CAST(json_extract(line, paths) AS STRING[])"
      ),
      (
        "ds_plain_values(line STRING, payload STRING)", "ARRAY<STRING>",
        "CAST(json_extract(line, '$.' || payload || '.*') AS STRING[])"
      ),
      (
        "ds_plain_keys(line STRING, payload STRING)", "ARRAY<ARRAY<STRING>>",
        "json_keys(line, ['$', '$.' || payload])"
      ),
      (
        "ds_plain_members(line STRING, members ARRAY<STRING>)", "ARRAY<STRING>",
        "list_filter(json_keys(line), lambda key: list_contains(members, key))"
      ),
      // Without tokens, and so no event, if a member is there twice.
      (
        "ds_plain_shape(line STRING, name STRING, payload STRING, members ARRAY<STRING>)", "STRING",
        """
        CASE WHEN len(list_distinct(ds_plain_members(line, members))) = len(ds_plain_members(line, members))
            AND list_contains(json_keys(line), name)
          THEN '{"' || payload || '":v{'
            || coalesce(
              array_to_string(list_transform(json_keys(line, '/' || payload), lambda key: '"' || key || '":vv'), ','), '')
            || '},"' || name || '":vv}'
          ELSE '' END
        """
      ),
      // The engine's function ends a text at U+0000.
      ("ds_fold(path STRING)", "STRING", "nfc_normalize(replace(path, chr(0), '~3'))"),
      (
        "ds_place(target STRING, indices ARRAY<STRING>)", "STRING",
        """
        array_to_string(list_transform(string_split(target, '['),
          lambda part, number: CASE WHEN number = 1 THEN part ELSE '[' || indices[number - 1] || part END), '')
        """
      ),
      ("ds_json(content STRING)", "STRING", "CAST(to_json(content) AS STRING)"),
    ]
  }

  var numbers: [QueryFunction] {
    [
      (
        "ds_is_scalar(token STRING)", "BOOLEAN",
        """
        CASE WHEN starts_with(token, '"') THEN ds_is_string(token)
          WHEN token IN ('true', 'false', 'null') THEN true
          ELSE ds_is_number(token) END
        """
      ),
      (
        "ds_are_scalars(items ARRAY<STRING>)", "BOOLEAN",
        "coalesce(list_bool_and(list_transform(items, lambda item: item IS NULL OR ds_is_scalar(item))), true)"
      ),
      (
        "ds_is_integer(token STRING)", "BOOLEAN",
        """
        regexp_full_match(token, '-?[0-9]{1,18}') OR (regexp_full_match(token, '-?[0-9]{19,20}')
          AND TRY_CAST(token AS HUGEINT) BETWEEN -9223372036854775808 AND 18446744073709551615)
        """
      ),
      ("ds_trunc(number DOUBLE)", "DOUBLE", "trunc(number)"),
      // The engine's text has the fewest digits that read back as the same double.
      (
        "ds_positive(number DOUBLE, own STRING)", "STRING", "ds_layout(ds_digits(own), ds_point(own))"
      ),
    ]
  }

  func fully(_ text: String, _ pattern: String) -> String { "regexp_full_match(\(text), '\(pattern)')" }

  func replaced(_ text: String, _ pattern: String, by replacement: String) -> String {
    "regexp_replace(\(text), '\(pattern)', '\(replacement)', 'g')"
  }

  func decoded(_ token: String) -> String { "json_extract_string(\(token), '$')" }

  func isNumber(_ token: String) -> String {
    "(\(fully(token, SQLPattern.number)) AND isfinite(TRY_CAST(\(token) AS DOUBLE)))"
  }
}
