extension SparkDialect {
  func definition(_ function: QueryFunction) -> String {
    "CREATE OR REPLACE TEMPORARY FUNCTION \(function.signature) RETURNS \(function.type)\n  RETURN \(function.body);"
  }

  var texts: [QueryFunction] {
    [
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
      ("ds_digest(whole STRING)", "STRING", "md5(whole)"),
      ("ds_starts(whole STRING, start STRING)", "BOOLEAN", "startswith(whole, start)"),
      ("ds_bytes(whole STRING)", "BIGINT", "octet_length(whole)"),
      // In this engine, lambdas are slow and groups are not: shape and values are read from the line itself.
      ("ds_parts(line STRING)", "STRING", "line"),
      (
        "ds_shape(line STRING)", "STRING",
        "regexp_replace(line, r'(\(pattern.key))|\(pattern.scalar)', '$1v')"
      ),
      (
        "ds_values(line STRING)", "ARRAY<STRING>",
        "filter(regexp_extract_all(line, r'\(pattern.key)|(\(pattern.scalar))', 1), item -> item <> '')"
      ),
      // Most lines are simple, and split in a third of the time with the same result.
      ("ds_is_simple(line STRING)", "BOOLEAN", fully("line", SQLPattern.simpleLine)),
      (
        "ds_simple_shape(line STRING)", "STRING",
        "replace(regexp_replace(line, r'\(SQLPattern.simpleValue)', ':vv'), ':{', ':v{')"
      ),
      (
        "ds_simple_values(line STRING)", "ARRAY<STRING>", "regexp_extract_all(line, r'\(SQLPattern.simpleValue)', 1)"
      ),
      // A lambda cannot call a function of the query.
      (
        "ds_are_scalars(items ARRAY<STRING>)", "BOOLEAN",
        """
        coalesce(forall(items, item -> CASE WHEN startswith(item, '"')
            THEN \(fully("item", pattern.strictString))
          ELSE item IN ('true', 'false', 'null') OR \(isNumber("item")) END), true)
        """
      ),
      ("ds_fold(path STRING)", "STRING", "path"),
      ("ds_is_folded(path STRING)", "BOOLEAN", "NOT path RLIKE r'[^\(NormalForm.pattern)]'"),
      (
        "ds_place(target STRING, indices ARRAY<STRING>)", "STRING",
        #"""
        array_join(transform(split(target, r'\[', -1),
          (part, number) -> CASE WHEN number = 0 THEN part ELSE '[' || get(indices, number - 1) || part END), '')
        """#
      ),
      (
        "ds_json(content STRING)", "STRING",
        "CASE WHEN content IS NOT NULL THEN regexp_extract(to_json(array(content)), r'\\A\\[([\\s\\S]*)\\]\\z', 1) END"
      ),
    ]
  }

  func fully(_ text: String, _ pattern: String) -> String { #"\#(text) RLIKE r'\A(?:\#(pattern))\z'"# }

  func replaced(_ text: String, _ pattern: String, by replacement: String) -> String {
    "regexp_replace(\(text), r'\(pattern)', '\(replacement)')"
  }

  func decoded(_ token: String) -> String { "get(from_json('[' || \(token) || ']', 'array<string>'), 0)" }

  func isNumber(_ token: String) -> String {
    "(\(fully(token, SQLPattern.number)) AND abs(TRY_CAST(\(token) AS DOUBLE)) < CAST('Infinity' AS DOUBLE))"
  }
}
