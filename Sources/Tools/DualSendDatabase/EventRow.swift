import DualSendTracking
import GRDB

/// A row of the event table, read by SQLite.
enum EventRow {
  /// The events in a row of ``EventColumn/list``, the damaged ones marked; `nil` if a value has the wrong type.
  static func events(_ row: Row) -> [TrackingData]? { read(row)?.events }

  /// Whether a row has the sequence and the number of events that it was written with.
  static func isInPlace(_ row: Row) -> Bool { read(row)?.isInPlace ?? false }

  private static func read(_ row: Row) -> StoreFormat.EventRow? {
    StoreFormat.EventRow { column in
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
