/// DuckDB, from 1.4 on.
struct DuckDBDialect: SQLDialect {
  let knowsNormalForms = true

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

  /// A list of one is how a value gets a name.
  func naming(_ value: String, _ name: String, _ body: String) -> String {
    "list_transform([\(value)], lambda \(name): \(body))[1]"
  }

  /// Before version 2 the state must be of the items' type: both travel together.
  func fold(
    _ items: String, item: String, into state: String, from first: String, _ next: (String, String) -> String
  ) -> String {
    let untouched = record([("item", item), ("state", "CASE WHEN false THEN \(first) END")])
    let taken = record([("item", "\(item).item"), ("state", next("\(state).state", "\(item).item"))])
    return """
      list_reduce(list_transform(\(items), lambda \(item): \(untouched)), lambda \(state), \(item): \(taken),
        \(record([("item", "CAST(0 AS BIGINT)"), ("state", first)]))).state
      """
  }

  func record(_ members: [(String, String)]) -> String {
    "{" + members.map { "'\($0.0)': \($0.1)" }.joined(separator: ", ") + "}"
  }

  func numbers(from first: String, through last: String) -> String {
    "range(\(first), \(last) + 1)"
  }

  func quotient(_ number: String, _ divisor: String) -> String {
    "\(number) // \(divisor)"
  }

  func failure(_ message: String, _ type: String) -> String {
    "CAST(error('\(message)') AS \(type))"
  }
}
