import DualSendCore
import DualSendRemapping

/// The conversion of a scalar by a row as an expression: first the value table, then the type, then the default.
struct ValueExpression {
  private let rule: ValueRule
  private let dialect: any SQLDialect

  init(_ rule: ValueRule, _ dialect: any SQLDialect) {
    (self.rule, self.dialect) = (rule, dialect)
  }

  /// The `ds_key` of the new scalar. Uses the columns of the old one: `given`, `given_key`, `numeral` (its number) and
  /// `given_time` (its date).
  var text: String {
    let rest = converted
    guard let table = rule.table else { return rest }
    let entries = table.sorted { String.byteOrder($0.key, $1.key) }.flatMap { key, value in
      keys(of: key).map { "WHEN \($0) THEN \(constant(value))" }
    }
    return "coalesce(CASE given_key \(entries.joined(separator: " ")) END, \(rest))"
  }

  /// The scalars that match a key of a value table: the string, and the number or literal with this canonical text.
  private func keys(of key: String) -> [String] {
    let string = dialect.literal("\"" + key + "\"") as String
    switch try? JSONReader().value(key.utf8) {
    case .null?, .bool?:
      return key == "null" || key == "true" || key == "false" ? [string, dialect.literal(key)] : [string]
    case .int?, .uint?, .double?:
      guard let value = try? JSONReader().value(key.utf8), value.canonicalText.isExactly(key) else { return [string] }
      return [string, "ds_key(\(dialect.literal(key) as String))"]
    default: return [string]
    }
  }

  private func constant(_ value: EventValue) -> String {
    if case .string(let text) = value { return dialect.literal("\"" + text + "\"") }
    return "ds_key(\(dialect.literal(value.canonicalText) as String))"
  }

  private var converted: String {
    let unconverted = rule.fallback.map(constant) ?? "given_key"
    let result: String
    switch rule.type {
    case nil where rule.table != nil:
      result = rule.fallback.map(constant) ?? "given_key"
    case nil: result = "given_key"
    case let type?: result = "coalesce(\(Self.column(type)), \(unconverted))"
    }
    guard let fallback = rule.fallback else { return result }
    return "CASE WHEN given = 'null' THEN \(constant(fallback)) ELSE \(result) END"
  }

  private static func column(_ type: ValueType) -> String {
    switch type {
    case .string: "ds_to_string(given, given_key)"
    case .int: "ds_to_int(given, numeral)"
    case .double: "ds_to_double(given, numeral)"
    case .bool: "ds_to_bool(given)"
    case .date: "ds_to_date(given, given_time)"
    }
  }
}
