/// DuckDB, from 1.3 on.
struct DuckDBDialect: SQLDialect {
  func table(_ name: String, as query: String) -> String {
    "CREATE OR REPLACE TEMP TABLE \(name) AS\n\(query);"
  }

  /// A literal has no escapes: what the statement's text cannot hold is put together.
  func literal(_ text: String) -> String {
    var parts: [String] = []
    var plain = ""
    for scalar in text.unicodeScalars {
      if scalar.value < 0x20 || scalar.value == 0x7F {
        if !plain.isEmpty { parts.append("'\(plain)'") }
        plain = ""
        parts.append("chr(\(scalar.value))")
      } else {
        plain.unicodeScalars.append(scalar)
        if scalar == "'" { plain.unicodeScalars.append(scalar) }
      }
    }
    if !plain.isEmpty || parts.isEmpty { parts.append("'\(plain)'") }
    return parts.count == 1 ? parts[0] : "(" + parts.joined(separator: " || ") + ")"
  }

  func unnest(_ list: String, _ item: String, _ index: String) -> String {
    ", unnest(\(list)) WITH ORDINALITY AS items_\(index)(\(item), \(index))"
  }

  func joined(_ text: String, by order: String, separator: String) -> String {
    "string_agg(\(text), '\(separator)' ORDER BY \(order))"
  }

  func list(_ value: String, by order: String) -> String {
    "list(\(value) ORDER BY \(order))"
  }
}
