import DualSendCore
package import DualSendRemapping

/// The comparison of `dualsend parity` as statements of SQL, for streams that lie in a warehouse.
///
/// Each stream is a relation with a line a row: `line_number`, from 1 in the order of the stream, and `line`, the JSON text.
/// The last statement gives one row with one text, `report`.
package struct ComparisonQuery: Sendable {
  /// The SQL of an engine.
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

  /// The statements, each ended by a semicolon.
  package func text(_ dialect: Dialect) -> String {
    let engine = dialect.sql
    let relations = TableRelations(table, ignored: options.ignored, engine)
    let id = options.idKey.map { KeyPathPattern(key: $0).sqlPattern }
    let stages =
      relations.stages + LineStages(dialect: engine, old: options.old, new: options.new).stages
      + ShapeStages(dialect: engine).stages
      + JoinStages(dialect: engine, idPattern: id, loneAllowed: options.loneAllowed).stages
      + RestStages(dialect: engine, idPattern: id).stages + WriteStages(dialect: engine).stages
      + FieldStages(dialect: engine).stages
      + CountStages(dialect: engine, table: relations).stages
    let report = ReportStages(dialect: engine, options: options)
    return (engine.functions + (stages + report.stages).map { $0.statement(engine) } + [report.result])
      .joined(separator: "\n\n") + "\n"
  }
}
