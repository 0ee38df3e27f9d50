/// Spark SQL 4.0 and later, with default settings.
///
/// Each stage is a table in the current schema, because Spark has no temporary tables and would evaluate a view again
/// each time it is used. The names start with `ds_`; the tables can be dropped after the report.
struct SparkDialect: SQLDialect {
  let knowsNormalForms = false
  let plainLines: PlainLines? = nil
  let pattern = SQLPattern.java
  let startsWith = "startswith"
  let division = "div"

  func table(_ name: String, as query: String) -> String {
    "DROP TABLE IF EXISTS \(name);\nCREATE TABLE \(name) USING parquet AS\n\(query);"
  }

  /// Escapes control characters and `$`, because `${` starts a variable.
  func literal(_ text: String) -> String {
    var literal = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "'": literal += "\\\(scalar)"
      case "$": literal += #"\u0024"#
      case "\u{0}"..<" ", "\u{7F}":
        literal += #"\u00"# + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "'"
  }

  func unnest(_ list: String, _ item: String, _ index: String) -> String {
    """
     LATERAL VIEW inline(transform(\(list), (entry, entry_index) ->
        named_struct('entry', entry, 'number', CAST(entry_index + 1 AS BIGINT)))) items_\(index) AS \(item), \(index)
    """
  }

  func joined(_ text: String, by order: String, separator: String) -> String {
    "listagg(\(text), '\(separator)') WITHIN GROUP (ORDER BY \(order))"
  }

  func mapping(_ items: String, _ item: String, _ body: String) -> String {
    "transform(\(items), \(item) -> \(body))"
  }

  func naming(_ value: String, _ name: String, _ body: String) -> String {
    "get(\(mapping("array(\(value))", name, body)), 0)"
  }

  func fold(
    _ items: String, item: String, like: String, into state: String, from first: String,
    _ next: (String, String) -> String
  ) -> String {
    "aggregate(\(items), \(first), (\(state), \(item)) -> \(next(state, item)))"
  }

  func record(_ members: [(String, String)]) -> String {
    "named_struct(" + members.map { "'\($0.0)', \($0.1)" }.joined(separator: ", ") + ")"
  }

  func numbers(from first: String, through last: String) -> String {
    "sequence(CAST(\(first) AS BIGINT), CAST(\(last) AS BIGINT))"
  }

  func failure(_ message: String, _ type: String) -> String {
    "CAST(raise_error('\(message)') AS \(type))"
  }
}
