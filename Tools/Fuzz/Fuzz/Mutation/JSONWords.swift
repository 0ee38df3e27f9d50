/// Words that the formats know, and values at the edges of what they allow.
enum JSONWords {
  static let keys = [
    // Rollout documents.
    "formatVersion", "revision", "salt", "shouldSendLogToOldLogger", "shouldSendLogToNewTracker", "allowNeither",
    "missingUnit", "rules", "match", "events", "appVersion", "platform", "locale", "country", "attributes", "unitIDs",
    "schedule", "from",
    "percentage", "sinks", "old", "new", "amplitude", "console",
    // Remapping tables.
    "*", "parameters", "name", "add", "unmapped", "clash", "to", "type", "values", "default", "a.b", "a[]", "a[].b",
    "a[][]", "a\\.b", "",
    // Events, answers, reports.
    "eventId", "eventName", "eventTime", "payload", "time", "unitID", "rejected", "reason", "preset", "ignore",
    "maximumParameters", "maximumNameLength", "maximumStringLength", "booleans", "illegalNames", "join", "window",
    "country", "\u{e9}", "e\u{301}",
  ]

  static let scalars = [
    "null", "true", "false", "0", "-0", "1", "-1", "100", "100.0001", "0.001", "99.999", "1e2", "1e-3", "0e999999999",
    "1e308", "5e-324", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551615",
    "1000000000000000000000", "0.1e-4294967297", "\"\"", "\"*\"", "\"home.*\"", "\"h*\"", "\"home.tap\"", "\"iOS\"",
    "\">=25.4.10 <26\"", "\">0\"", "\"<0\"", "\"==18446744073709551615.18446744073709551615\"", "\">1.0.0.1 <1.0.0.2\"",
    "\"old\"", "\"new\"", "\"both\"", "\"keep\"", "\"drop\"", "\"report\"", "\"int\"", "\"double\"", "\"string\"",
    "\"bool\"", "\"date\"", "\"mapped\"", "\"payload\"", "\"firebase\"", "\"2026-12-01T00:00:00Z\"",
    "2", "{\"new\":{\"amplitude\":25}}", "{\"new\":{\"amplitude\":100},\"old\":{\"console\":10}}",
    "\"0000-01-01T00:00:00+23:59\"", "\"9999-12-31T23:59:60.999-23:59\"", "\"unit-1\"", "\"\\u0000\"",
    "\"\\ud83d\\ude00\"", "\"e\\u0301\"", "[]", "{}", "{\"schedule\":[]}",
    "{\"schedule\":[{\"from\":\"2026-12-01T00:00:00Z\",\"percentage\":5}]}", "\"a.b\"", "\"a[].b\"", "\"a\\\\.b\"",
  ]
}
