/// DuckDB 1.4 and later.
struct DuckDBDialect: SQLDialect {
  let knowsNormalForms = true
  let plainLines: PlainLines? = PlainLines()
  let pattern = SQLPattern.re2
  let startsWith = "starts_with"
  let division = "//"

  func table(_ name: String, as query: String) -> String {
    "CREATE OR REPLACE TEMP TABLE \(name) AS\n\(query);"
  }

  /// Literals have no escapes, so control characters are concatenated with `chr`.
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

  func mapping(_ items: String, _ item: String, _ body: String) -> String {
    "list_transform(\(items), lambda \(item): \(body))"
  }

  /// Names a value by a lambda over a list with one element.
  func naming(_ value: String, _ name: String, _ body: String) -> String {
    mapping("[\(value)]", name, body) + "[1]"
  }

  /// Before version 2, the state must have the type of the items, so both are members of one record.
  func fold(
    _ items: String, item: String, like: String, into state: String, from first: String,
    _ next: (String, String) -> String
  ) -> String {
    let untouched = record([("item", item), ("state", "CASE WHEN false THEN \(first) END")])
    let taken = record([("item", "\(item).item"), ("state", next("\(state).state", "\(item).item"))])
    return """
      list_reduce(list_transform(\(items), lambda \(item): \(untouched)), lambda \(state), \(item): \(taken),
        \(record([("item", like), ("state", first)]))).state
      """
  }

  func record(_ members: [(String, String)]) -> String {
    "{" + members.map { "'\($0.0)': \($0.1)" }.joined(separator: ", ") + "}"
  }

  func numbers(from first: String, through last: String) -> String {
    "range(\(first), \(last) + 1)"
  }

  func failure(_ message: String, _ type: String) -> String {
    "CAST(error('\(message)') AS \(type))"
  }
}
