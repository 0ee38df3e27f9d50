extension QueryFunctions {
  /// The conversions of the table's types: `NULL` for a value that cannot be converted.
  var conversions: [QueryFunction] {
    [
      (
        "ds_numeral(token STRING)", "STRING",
        """
        CASE WHEN token = 'true' THEN '1' WHEN token = 'false' THEN '0' WHEN token = 'null' THEN NULL
          WHEN \(starts)(token, '"') THEN CASE WHEN ds_is_number(ds_text(token)) THEN ds_text(token) END
          ELSE token END
        """
      ),
      (
        "ds_whole_double(number DOUBLE)", "STRING",
        """
        CASE WHEN abs(ds_trunc(number)) <= 9007199254740992 THEN CAST(TRY_CAST(ds_trunc(number) AS BIGINT) AS STRING)
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
        CASE WHEN token = 'null' OR \(starts)(token, '"') THEN content
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
          WHEN \(starts)(token, '"')
            THEN CASE WHEN lower(ds_text(token)) IN ('0', 'false') THEN 'false'
              WHEN lower(ds_text(token)) IN ('1', 'true') THEN 'true' END
          ELSE CASE ds_number(token) WHEN '0' THEN 'false' WHEN '1' THEN 'true' END END
        """
      ),
    ]
  }

  /// Dates in the proleptic Gregorian calendar, as integer arithmetic. Days are counted from 0000-03-01 minus 400 years,
  /// so that no number is negative.
  var dates: [QueryFunction] {
    writtenDates + readDates + [
      (
        "ds_time(token STRING)", "BIGINT",
        """
        CASE WHEN token IN ('null', 'true', 'false') THEN NULL
          WHEN \(starts)(token, '"') THEN ds_milliseconds(ds_text(token))
          WHEN ds_is_integer(token) THEN TRY_CAST(token AS BIGINT)
          WHEN abs(TRY_CAST(token AS DOUBLE)) < 1e15 THEN TRY_CAST(ds_trunc(TRY_CAST(token AS DOUBLE)) AS BIGINT) END
        """
      ),
      (
        "ds_to_date(token STRING, moment BIGINT)", "STRING",
        "CASE WHEN token = 'null' THEN token ELSE ds_date(moment) END"
      ),
    ]
  }

  private var writtenDates: [QueryFunction] {
    [
      (
        "ds_day_of_era(moment BIGINT)", "BIGINT",
        "((moment + 62167219200000) \(divided) 86400000 + 146037) % 146097"
      ),
      ("ds_era(moment BIGINT)", "BIGINT", "((moment + 62167219200000) \(divided) 86400000 + 146037) \(divided) 146097"),
      (
        "ds_year_of_era(day BIGINT)", "BIGINT",
        "(day - day \(divided) 1460 + day \(divided) 36524 - day \(divided) 146096) \(divided) 365"
      ),
      (
        "ds_day_of_year(day BIGINT, year BIGINT)", "BIGINT",
        "day - (365 * year + year \(divided) 4 - year \(divided) 100)"
      ),
      ("ds_month(shifted BIGINT)", "BIGINT", "CASE WHEN shifted < 10 THEN shifted + 3 ELSE shifted - 9 END"),
      ("ds_padded(number BIGINT, width INT)", "STRING", "lpad(CAST(number AS STRING), width, '0')"),
      (
        "ds_date_in_year(year BIGINT, day BIGINT)", "STRING",
        """
        ds_padded(year + CASE WHEN ds_month((5 * day + 2) \(divided) 153) <= 2 THEN 1 ELSE 0 END, 4) || '-'
          || ds_padded(ds_month((5 * day + 2) \(divided) 153), 2) || '-'
          || ds_padded(day - (153 * ((5 * day + 2) \(divided) 153) + 2) \(divided) 5 + 1, 2)
        """
      ),
      (
        "ds_date_of(era BIGINT, day BIGINT)", "STRING",
        "ds_date_in_year(ds_year_of_era(day) + era * 400 - 400, ds_day_of_year(day, ds_year_of_era(day)))"
      ),
      (
        "ds_time_of(moment BIGINT)", "STRING",
        """
        ds_padded(moment \(divided) 3600000, 2) || ':' || ds_padded(moment \(divided) 60000 % 60, 2) || ':'
          || ds_padded(moment \(divided) 1000 % 60, 2) || '.' || ds_padded(moment % 1000, 3)
        """
      ),
      (
        "ds_date(moment BIGINT)", "STRING",
        """
        CASE WHEN moment BETWEEN -62167219200000 AND 253402300799999
          THEN '"' || ds_date_of(ds_era(moment), ds_day_of_era(moment)) || 'T'
            || ds_time_of((moment + 62167219200000) % 86400000) || 'Z"' END
        """
      ),
    ]
  }

  private var readDates: [QueryFunction] {
    [
      ("ds_part(content STRING, number INT)", "STRING", "regexp_extract(content, '\(SQLPattern.dateTime)', number)"),
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
        (year \(divided) 400) * 146097 + (year % 400) * 365 + (year % 400) \(divided) 4 - (year % 400) \(divided) 100
          + (153 * CASE WHEN month > 2 THEN month - 3 ELSE month + 9 END + 2) \(divided) 5 + day - 1 - 865565
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
      // The text has the form of RFC 3339; its numbers may be out of range.
      (
        "ds_milliseconds(content STRING)", "BIGINT",
        """
        CASE WHEN NOT \(dialect.fully("content", SQLPattern.dateTime)) THEN NULL
          WHEN ds_number_part(content, 2) NOT BETWEEN 1 AND 12 OR ds_number_part(content, 3) < 1
            OR ds_number_part(content, 3) > ds_month_length(ds_number_part(content, 1), ds_number_part(content, 2))
            OR ds_number_part(content, 4) > 23 OR ds_number_part(content, 5) > 59 OR ds_number_part(content, 6) > 60
            THEN NULL
          WHEN ds_part(content, 8) IN ('Z', 'z') THEN ds_local(content)
          WHEN TRY_CAST(substr(ds_part(content, 8), 2, 2) AS BIGINT) > 23
            OR TRY_CAST(substr(ds_part(content, 8), 5, 2) AS BIGINT) > 59 THEN NULL
          ELSE ds_local(content) - CASE substr(ds_part(content, 8), 1, 1) WHEN '+' THEN 60000 ELSE -60000 END
            * (TRY_CAST(substr(ds_part(content, 8), 2, 2) AS BIGINT) * 60
              + TRY_CAST(substr(ds_part(content, 8), 5, 2) AS BIGINT))
          END
        """
      ),
    ]
  }
}
