extension SparkDialect {
  /// What the table's types convert: `NULL` for what cannot be.
  static let conversions: [Function] = [
    (
      "ds_numeral(token STRING)", "STRING",
      """
      CASE WHEN token = 'true' THEN '1' WHEN token = 'false' THEN '0' WHEN token = 'null' THEN NULL
        WHEN startswith(token, '"') THEN CASE WHEN ds_is_number(ds_text(token)) THEN ds_text(token) END
        ELSE token END
      """
    ),
    (
      "ds_whole_double(number DOUBLE)", "STRING",
      """
      CASE WHEN abs(ds_trunc(number)) <= 9007199254740992 THEN CAST(TRY_CAST(number AS BIGINT) AS STRING)
        WHEN number > -9.223372036854775808e18 AND number < 1.8446744073709551616e19 THEN ds_double(number) END
      """
    ),
    (
      "ds_whole(numeral STRING)", "STRING",
      """
      CASE WHEN ds_is_integer(numeral) THEN ds_number(numeral) ELSE ds_whole_double(TRY_CAST(numeral AS DOUBLE)) END
      """
    ),
    (
      "ds_to_string(token STRING, content STRING)", "STRING",
      """
      CASE WHEN token = 'null' OR startswith(token, '"') THEN content
        WHEN token IN ('true', 'false') THEN '"' || token || '"'
        ELSE '"' || ds_number(token) || '"' END
      """
    ),
    (
      "ds_to_int(token STRING, numeral STRING)", "STRING",
      "CASE WHEN token = 'null' THEN token ELSE ds_whole(numeral) END"
    ),
    (
      "ds_to_double(token STRING, numeral STRING)", "STRING",
      "CASE WHEN token = 'null' THEN token ELSE ds_double(TRY_CAST(numeral AS DOUBLE)) END"
    ),
    (
      "ds_to_bool(token STRING)", "STRING",
      """
      CASE WHEN token IN ('null', 'true', 'false') THEN token
        WHEN startswith(token, '"')
          THEN CASE WHEN lower(ds_text(token)) IN ('0', 'false') THEN 'false'
            WHEN lower(ds_text(token)) IN ('1', 'true') THEN 'true' END
        ELSE CASE ds_number(token) WHEN '0' THEN 'false' WHEN '1' THEN 'true' END END
      """
    ),
  ]

  static let dates: [Function] = [
    // Days to a proleptic Gregorian date, from 0000-03-01 minus 400 years on, so that nothing is negative.
    ("ds_day_of_era(time BIGINT)", "BIGINT", "((time + 62167219200000) div 86400000 + 146037) % 146097"),
    ("ds_era(time BIGINT)", "BIGINT", "((time + 62167219200000) div 86400000 + 146037) div 146097"),
    ("ds_year_of_era(day BIGINT)", "BIGINT", "(day - day div 1460 + day div 36524 - day div 146096) div 365"),
    (
      "ds_day_of_year(day BIGINT, year BIGINT)", "BIGINT", "day - (365 * year + year div 4 - year div 100)"
    ),
    ("ds_month(shifted BIGINT)", "BIGINT", "CASE WHEN shifted < 10 THEN shifted + 3 ELSE shifted - 9 END"),
    ("ds_padded(number BIGINT, width INT)", "STRING", "lpad(CAST(number AS STRING), width, '0')"),
    (
      "ds_date_in_year(year BIGINT, day BIGINT)", "STRING",
      """
      ds_padded(year + CASE WHEN ds_month((5 * day + 2) div 153) <= 2 THEN 1 ELSE 0 END, 4) || '-'
        || ds_padded(ds_month((5 * day + 2) div 153), 2) || '-'
        || ds_padded(day - (153 * ((5 * day + 2) div 153) + 2) div 5 + 1, 2)
      """
    ),
    (
      "ds_date_of(era BIGINT, day BIGINT)", "STRING",
      "ds_date_in_year(ds_year_of_era(day) + era * 400 - 400, ds_day_of_year(day, ds_year_of_era(day)))"
    ),
    (
      "ds_time_of(time BIGINT)", "STRING",
      """
      ds_padded(time div 3600000, 2) || ':' || ds_padded(time div 60000 % 60, 2) || ':'
        || ds_padded(time div 1000 % 60, 2) || '.' || ds_padded(time % 1000, 3)
      """
    ),
    (
      "ds_date(time BIGINT)", "STRING",
      """
      CASE WHEN time BETWEEN -62167219200000 AND 253402300799999
        THEN '"' || ds_date_of(ds_era(time), ds_day_of_era(time)) || 'T'
          || ds_time_of((time + 62167219200000) % 86400000) || 'Z"' END
      """
    ),
    ("ds_part(content STRING, number INT)", "STRING", "regexp_extract(content, r'\(SQLPattern.dateTime)', number)"),
    ("ds_number_part(content STRING, number INT)", "BIGINT", "TRY_CAST(ds_part(content, number) AS BIGINT)"),
    (
      "ds_month_length(year BIGINT, month BIGINT)", "INT",
      """
      CASE WHEN month = 2 THEN CASE WHEN year % 4 = 0 AND (year % 100 <> 0 OR year % 400 = 0) THEN 29 ELSE 28 END
        WHEN month IN (4, 6, 9, 11) THEN 30 ELSE 31 END
      """
    ),
    (
      "ds_days_of_era(year BIGINT, month BIGINT, day BIGINT)", "BIGINT",
      """
      year div 400 * 146097 + year % 400 * 365 + year % 400 div 4 - year % 400 div 100
        + (153 * CASE WHEN month > 2 THEN month - 3 ELSE month + 9 END + 2) div 5 + day - 1 - 865565
      """
    ),
    (
      "ds_days(year BIGINT, month BIGINT, day BIGINT)", "BIGINT",
      "ds_days_of_era(year + 400 - CASE WHEN month <= 2 THEN 1 ELSE 0 END, month, day)"
    ),
    (
      "ds_local(content STRING)", "BIGINT",
      """
      ds_days(ds_number_part(content, 1), ds_number_part(content, 2), ds_number_part(content, 3)) * 86400000
        + ((ds_number_part(content, 4) * 60 + ds_number_part(content, 5)) * 60 + ds_number_part(content, 6)) * 1000
        + TRY_CAST('0' || rpad(substr(coalesce(ds_part(content, 7), ''), 2, 3), 3, '0') AS BIGINT)
      """
    ),
    (
      "ds_milliseconds(content STRING)", "BIGINT",
      """
      CASE WHEN NOT \(fully("content", SQLPattern.dateTime)) THEN NULL
        \(SQLDates.milliseconds)
        END
      """
    ),
    (
      "ds_time(token STRING)", "BIGINT",
      """
      CASE WHEN token IN ('null', 'true', 'false') THEN NULL
        WHEN startswith(token, '"') THEN ds_milliseconds(ds_text(token))
        WHEN ds_is_integer(token) THEN TRY_CAST(token AS BIGINT)
        WHEN abs(TRY_CAST(token AS DOUBLE)) < 1e15 THEN TRY_CAST(TRY_CAST(token AS DOUBLE) AS BIGINT) END
      """
    ),
    ("ds_to_date(token STRING, time BIGINT)", "STRING", "CASE WHEN token = 'null' THEN token ELSE ds_date(time) END"),
  ]
}
