import DualSendTracking
import GRDB

extension StoreFormat.EventRow {
  /// Reads a row of ``EventColumn/list``; `nil` if a value has the wrong type.
  init?(_ row: Row) {
    self.init { column in
      switch DatabaseValue.Storage(row, column) {
      case .int64(let number): .number(number)
      case .blob(let bytes): .bytes(bytes)
      case .string(let text): .text(text)
      case .null, .double: .null
      }
    }
  }
}

extension DatabaseValue.Storage {
  init(_ row: Row, _ column: EventColumn) {
    self = (row[column.index] as DatabaseValue).storage
  }
}
