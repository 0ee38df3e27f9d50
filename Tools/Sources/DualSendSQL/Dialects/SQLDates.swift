/// What both dialects say of dates in the same words.
enum SQLDates {
  /// The cases of `ds_milliseconds` for a `content` that has the form of RFC 3339.
  static let milliseconds = """
    WHEN ds_number_part(content, 2) NOT BETWEEN 1 AND 12 OR ds_number_part(content, 3) < 1
      OR ds_number_part(content, 3) > ds_month_length(ds_number_part(content, 1), ds_number_part(content, 2))
      OR ds_number_part(content, 4) > 23 OR ds_number_part(content, 5) > 59 OR ds_number_part(content, 6) > 60
      THEN NULL
    WHEN ds_part(content, 8) IN ('Z', 'z') THEN ds_local(content)
    WHEN TRY_CAST(substr(ds_part(content, 8), 2, 2) AS BIGINT) > 23
      OR TRY_CAST(substr(ds_part(content, 8), 5, 2) AS BIGINT) > 59 THEN NULL
    ELSE ds_local(content) - CASE substr(ds_part(content, 8), 1, 1) WHEN '+' THEN 60000 ELSE -60000 END
      * (TRY_CAST(substr(ds_part(content, 8), 2, 2) AS BIGINT) * 60 + TRY_CAST(substr(ds_part(content, 8), 5, 2) AS BIGINT))
    """
}
