/// One step of the comparison: a relation and the query that makes it of those before.
struct Stage {
  let name: String
  /// What a row of the relation is.
  let comment: String
  let query: String

  init(_ name: String, _ comment: String, _ query: String) {
    (self.name, self.comment, self.query) = (name, comment, query)
  }

  func statement(_ dialect: any SQLDialect) -> String {
    "-- \(comment)\n" + dialect.table(name, as: query)
  }
}
