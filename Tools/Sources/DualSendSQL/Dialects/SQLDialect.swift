/// What the engines of warehouses write differently. Stages are written in what they share, and in functions named `ds_…`
/// that the query defines first.
protocol SQLDialect: Sendable {
  /// The statements that define the functions.
  var functions: [String] { get }

  /// Whether `ds_fold` gives the normal form NFC; otherwise what may not be in it is refused.
  var knowsNormalForms: Bool { get }

  /// The statement that keeps the rows of a query under a name, as long as the session lasts.
  func table(_ name: String, as query: String) -> String

  /// A text as a literal.
  func literal(_ text: String) -> String

  /// What follows a relation, to have a row for each item of a list, numbered from 1.
  func unnest(_ list: String, _ item: String, _ index: String) -> String

  /// An aggregate: texts put together in an order.
  func joined(_ text: String, by order: String, separator: String) -> String

  /// An expression in which a value has a name, so that it is worked out once.
  func naming(_ value: String, _ name: String, _ body: String) -> String

  /// What becomes of a first state while each item of a list, a whole number, is taken into it.
  ///
  /// - Parameters:
  ///   - item: a name that nothing around has, like `state`.
  ///   - next: the next state of the one before and an item, as they are to be called in it.
  func fold(
    _ items: String, item: String, into state: String, from first: String, _ next: (String, String) -> String
  ) -> String

  /// A value with named members.
  func record(_ members: [(String, String)]) -> String

  /// The whole numbers of a range as a list.
  func numbers(from first: String, through last: String) -> String

  /// A whole number divided by another, both above 0, without the rest.
  func quotient(_ number: String, _ divisor: String) -> String

  /// An expression of a type that ends the query with a message.
  func failure(_ message: String, _ type: String) -> String
}

extension SQLDialect {
  /// A literal, or `NULL`.
  func literal(_ text: String?) -> String {
    text.map { literal($0) as String } ?? "NULL"
  }

  /// Rows that the query brings along.
  ///
  /// - Parameters:
  ///   - columns: name and type of each.
  ///   - rows: literals.
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
