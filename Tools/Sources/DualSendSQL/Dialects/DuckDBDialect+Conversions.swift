extension DuckDBDialect {
  /// What the table's types convert: `NULL` for what cannot be.
  static let conversions: [(String, String)] = [
    (
      "ds_numeral(token)",
      """
      CASE WHEN token = 'true' THEN '1' WHEN token = 'false' THEN '0' WHEN token = 'null' THEN NULL
        WHEN starts_with(token, '"') THEN CASE WHEN ds_is_number(ds_text(token)) THEN ds_text(token) END
        ELSE token END
      """
    ),
    (
      "ds_whole(numeral)",
      """
      CASE WHEN ds_is_integer(numeral) THEN ds_number(numeral)
        WHEN abs(trunc(TRY_CAST(numeral AS DOUBLE))) <= 9007199254740992
          THEN CAST(TRY_CAST(trunc(TRY_CAST(numeral AS DOUBLE)) AS BIGINT) AS STRING)
        WHEN TRY_CAST(numeral AS DOUBLE) > -9.223372036854775808e18 AND TRY_CAST(numeral AS DOUBLE) < 1.8446744073709551616e19
          THEN ds_double(TRY_CAST(numeral AS DOUBLE)) END
      """
    ),
    (
      "ds_to_string(token, content)",
      """
      CASE WHEN token = 'null' OR starts_with(token, '"') THEN content
        WHEN token IN ('true', 'false') THEN '"' || token || '"'
        ELSE '"' || ds_number(token) || '"' END
      """
    ),
    ("ds_to_int(token, numeral)", "CASE WHEN token = 'null' THEN token ELSE ds_whole(numeral) END"),
    (
      "ds_to_double(token, numeral)",
      "CASE WHEN token = 'null' THEN token ELSE ds_double(TRY_CAST(numeral AS DOUBLE)) END"
    ),
    (
      "ds_to_bool(token)",
      """
      CASE WHEN token IN ('null', 'true', 'false') THEN token
        WHEN starts_with(token, '"')
          THEN CASE WHEN lower(ds_text(token)) IN ('0', 'false') THEN 'false'
            WHEN lower(ds_text(token)) IN ('1', 'true') THEN 'true' END
        ELSE CASE ds_number(token) WHEN '0' THEN 'false' WHEN '1' THEN 'true' END END
      """
    ),
    // Days to a proleptic Gregorian date, from 0000-03-01 minus 400 years on, so that nothing is negative.
    ("ds_day_of_era(moment)", "((moment + 62167219200000) // 86400000 + 146037) % 146097"),
    ("ds_era(moment)", "((moment + 62167219200000) // 86400000 + 146037) // 146097"),
    ("ds_year_of_era(day)", "(day - day // 1460 + day // 36524 - day // 146096) // 365"),
    (
      "ds_day_of_year(day)", "day - (365 * ds_year_of_era(day) + ds_year_of_era(day) // 4 - ds_year_of_era(day) // 100)"
    ),
    ("ds_shifted_month(day)", "(5 * ds_day_of_year(day) + 2) // 153"),
    (
      "ds_month(day)",
      "CASE WHEN ds_shifted_month(day) < 10 THEN ds_shifted_month(day) + 3 ELSE ds_shifted_month(day) - 9 END"
    ),
    ("ds_day(day)", "ds_day_of_year(day) - (153 * ds_shifted_month(day) + 2) // 5 + 1"),
    ("ds_padded(number, width)", "lpad(CAST(number AS STRING), width, '0')"),
    (
      "ds_date_of(era, day)",
      """
      ds_padded(ds_year_of_era(day) + era * 400 - 400 + CASE WHEN ds_month(day) <= 2 THEN 1 ELSE 0 END, 4)
        || '-' || ds_padded(ds_month(day), 2) || '-' || ds_padded(ds_day(day), 2)
      """
    ),
    (
      "ds_time_of(moment)",
      """
      ds_padded(moment // 3600000, 2) || ':' || ds_padded(moment // 60000 % 60, 2) || ':'
        || ds_padded(moment // 1000 % 60, 2) || '.' || ds_padded(moment % 1000, 3)
      """
    ),
    (
      "ds_date(moment)",
      """
      CASE WHEN moment BETWEEN -62167219200000 AND 253402300799999
        THEN '"' || ds_date_of(ds_era(moment), ds_day_of_era(moment)) || 'T'
          || ds_time_of((moment + 62167219200000) % 86400000) || 'Z"' END
      """
    ),
    ("ds_part(content, number)", "regexp_extract(content, '\(SQLPattern.dateTime)', number)"),
    ("ds_number_part(content, number)", "TRY_CAST(ds_part(content, number) AS BIGINT)"),
    (
      "ds_month_length(year, month)",
      """
      CASE WHEN month = 2 THEN CASE WHEN year % 4 = 0 AND (year % 100 <> 0 OR year % 400 = 0) THEN 29 ELSE 28 END
        WHEN month IN (4, 6, 9, 11) THEN 30 ELSE 31 END
      """
    ),
    (
      "ds_days(year, month, day)",
      """
      ((year + 400 - CASE WHEN month <= 2 THEN 1 ELSE 0 END) // 400) * 146097
        + ((year + 400 - CASE WHEN month <= 2 THEN 1 ELSE 0 END) % 400) * 365
        + ((year + 400 - CASE WHEN month <= 2 THEN 1 ELSE 0 END) % 400) // 4
        - ((year + 400 - CASE WHEN month <= 2 THEN 1 ELSE 0 END) % 400) // 100
        + (153 * CASE WHEN month > 2 THEN month - 3 ELSE month + 9 END + 2) // 5 + day - 1 - 865565
      """
    ),
    (
      "ds_local(content)",
      """
      ds_days(ds_number_part(content, 1), ds_number_part(content, 2), ds_number_part(content, 3)) * 86400000
        + ((ds_number_part(content, 4) * 60 + ds_number_part(content, 5)) * 60 + ds_number_part(content, 6)) * 1000
        + TRY_CAST('0' || rpad(substr(coalesce(ds_part(content, 7), ''), 2, 3), 3, '0') AS BIGINT)
      """
    ),
    (
      "ds_milliseconds(content)",
      """
      CASE WHEN NOT regexp_full_match(content, '\(SQLPattern.dateTime)') THEN NULL
        \(SQLDates.milliseconds)
        END
      """
    ),
    (
      "ds_time(token)",
      """
      CASE WHEN token IN ('null', 'true', 'false') THEN NULL
        WHEN starts_with(token, '"') THEN ds_milliseconds(ds_text(token))
        WHEN ds_is_integer(token) THEN TRY_CAST(token AS BIGINT)
        WHEN abs(TRY_CAST(token AS DOUBLE)) < 1e15 THEN TRY_CAST(trunc(TRY_CAST(token AS DOUBLE)) AS BIGINT) END
      """
    ),
    ("ds_to_date(token, moment)", "CASE WHEN token = 'null' THEN token ELSE ds_date(moment) END"),
  ]
}
