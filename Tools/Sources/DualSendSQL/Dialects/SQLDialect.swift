/// The differences between the SQL of two engines. Stages use common SQL, and functions named `ds_…` that the query defines
/// first.
protocol SQLDialect: Sendable {
  /// The functions that are specific to the engine and call no others.
  var texts: [QueryFunction] { get }

  /// The functions that are specific to the engine and call shared ones: `ds_is_integer`, `ds_trunc`, `ds_positive` (the
  /// canonical text of a positive double, given the engine's own text of it), and functions that these call.
  var numbers: [QueryFunction] { get }

  /// The statement that defines a function.
  func definition(_ function: QueryFunction) -> String

  /// How the engine splits lines of a common form by its JSON functions; `nil` if it has no exact ones.
  var plainLines: PlainLines? { get }

  /// Regular expressions for the engine.
  var pattern: SQLPattern { get }

  /// The name of the function that tests a prefix.
  var startsWith: String { get }

  /// The operator that divides integers.
  var division: String { get }

  /// Whether a text matches a pattern as a whole.
  func fully(_ text: String, _ pattern: String) -> String

  /// A text with all matches of a pattern replaced.
  func replaced(_ text: String, _ pattern: String, by replacement: String) -> String

  /// The text of a JSON string.
  func decoded(_ token: String) -> String

  /// Whether a token is a JSON number that is finite as a double.
  func isNumber(_ token: String) -> String

  /// Whether `ds_fold` gives the normal form NFC. Otherwise the query refuses texts that may not be in that form.
  var knowsNormalForms: Bool { get }

  /// The statement that stores the rows of a query under a name.
  func table(_ name: String, as query: String) -> String

  /// A text as a literal.
  func literal(_ text: String) -> String

  /// A clause after a relation that adds a row for each item of a list, numbered from 1.
  func unnest(_ list: String, _ item: String, _ index: String) -> String

  /// An aggregate that joins texts in an order.
  func joined(_ text: String, by order: String, separator: String) -> String

  /// An expression in which a value has a name, so that it is evaluated once.
  func naming(_ value: String, _ name: String, _ body: String) -> String

  /// The list of an expression's values for the items of a list.
  func mapping(_ items: String, _ item: String, _ body: String) -> String

  /// Folds a list into a state.
  ///
  /// - Parameters:
  ///   - item: a name that is not used around the expression. The same applies to `state`.
  ///   - like: any value of the items' type.
  ///   - next: the next state, given the expressions of the state and the item.
  func fold(
    _ items: String, item: String, like: String, into state: String, from first: String,
    _ next: (String, String) -> String
  ) -> String

  /// A value with named members.
  func record(_ members: [(String, String)]) -> String

  /// A list of the integers of a range.
  func numbers(from first: String, through last: String) -> String

  /// An expression of a type that fails the query with a message.
  func failure(_ message: String, _ type: String) -> String
}

extension SQLDialect {
  /// Whether a string token has an escape.
  func hasEscape(_ token: String) -> String { "contains(\(token), \(literal("\\") as String))" }

  /// Folds a list of integers into a state.
  func fold(
    _ items: String, item: String, into state: String, from first: String, _ next: (String, String) -> String
  ) -> String {
    fold(items, item: item, like: "CAST(0 AS BIGINT)", into: state, from: first, next)
  }

  /// A literal, or `NULL`.
  func literal(_ text: String?) -> String {
    text.map { literal($0) as String } ?? "NULL"
  }

  /// A query that returns constant rows.
  ///
  /// - Parameters:
  ///   - columns: the name and type of each column.
  ///   - rows: the literals of each row.
  func relation(_ columns: [(name: String, type: String)], _ rows: [[String]]) -> String {
    if rows.isEmpty {
      return "SELECT " + columns.map { "CAST(NULL AS \($0.type)) AS \($0.name)" }.joined(separator: ", ")
        + " WHERE 1 = 0"
    }
    let names = columns.map(\.name).joined(separator: ", ")
    let casts = columns.map { "CAST(\($0.name) AS \($0.type)) AS \($0.name)" }.joined(separator: ", ")
    let values = rows.map { "  (" + $0.joined(separator: ", ") + ")" }.joined(separator: ",\n")
    return "SELECT \(casts) FROM (VALUES\n\(values)\n) AS given(\(names))"
  }
}
