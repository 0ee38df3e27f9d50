import DualSendCore
package import DualSendRemapping

/// The comparison of `dualsend parity` as SQL, for streams in a data warehouse.
///
/// Each stream is a relation with one row for each line: `line_number`, from 1 in the order of the stream, and `line`, the
/// JSON text. The last statement returns one row with one text, `report`.
package struct ComparisonQuery: Sendable {
  /// An engine.
  package enum Dialect: String, Sendable, CaseIterable {
    case duckdb, spark

    var sql: any SQLDialect {
      switch self {
      case .duckdb: DuckDBDialect()
      case .spark: SparkDialect()
      }
    }
  }

  private let table: RemappingTable
  private let options: ComparisonOptions

  package init(_ table: RemappingTable, options: ComparisonOptions = ComparisonOptions()) {
    (self.table, self.options) = (table, options)
  }

  /// The statements, each terminated by a semicolon.
  package func text(_ dialect: Dialect) -> String {
    let engine = dialect.sql
    let relations = TableRelations(table, ignored: options.ignored, engine)
    let id = options.idKey.map { KeyPathPattern(key: $0).sqlPattern }
    let (old, new) = (StreamForm.old(options.old), StreamForm.new(options.new))
    let stages =
      relations.stages + LineStages(dialect: engine, old: old, new: new, idPattern: id).stages
      + ShapeStages(dialect: engine, old: old, new: new).stages
      + JoinStages(dialect: engine, idPattern: id, loneAllowed: options.loneAllowed).stages
      + RestStages(dialect: engine, idPattern: id).stages + WriteStages(dialect: engine).stages
      + FieldStages(dialect: engine).stages
      + ValueStages(dialect: engine, table: relations, old: old, new: new).stages
      + CountStages(dialect: engine).stages
    let report = ReportStages(dialect: engine, options: options)
    return
      (QueryFunctions(dialect: engine).statements + (stages + report.stages).map { $0.statement(engine) } + [
        report.result
      ])
      .joined(separator: "\n\n") + "\n"
  }
}

/// One step of the comparison: a relation, and the query for its rows.
struct Stage {
  let name: String
  /// The meaning of a row, written above the statement.
  let comment: String
  let query: String

  init(_ name: String, _ comment: String, _ query: String) {
    (self.name, self.comment, self.query) = (name, comment, query)
  }

  func statement(_ dialect: any SQLDialect) -> String {
    "-- \(comment)\n" + dialect.table(name, as: query)
  }
}
