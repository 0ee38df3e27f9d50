import DualSendTracking
import GRDB

/// A row of the event table, read by SQLite.
enum EventRow {
  /// The events in a row of ``StoreFormat/eventColumns``, the damaged ones marked; `nil` if a value has the wrong type.
  static func events(_ row: Row) -> [TrackingData]? { read(row)?.events }

  /// Whether a row has the sequence and the number of events that it was written with.
  static func isInPlace(_ row: Row) -> Bool { read(row)?.isInPlace ?? false }

  private static func read(_ row: Row) -> StoreFormat.EventRow? {
    guard case .int64(let sequence) = DatabaseValue.Storage(row, 0),
      case .blob(let id) = DatabaseValue.Storage(row, 1), case .int64(let time) = DatabaseValue.Storage(row, 2),
      case .string(let name) = DatabaseValue.Storage(row, 3), case .int64(let attempts) = DatabaseValue.Storage(row, 4),
      case .blob(let body) = DatabaseValue.Storage(row, 5)
    else { return nil }
    return StoreFormat.EventRow(
      sequence: sequence, id: id, time: time, name: name, attempts: attempts, body: body, checksum: number(row, 6),
      count: number(row, 7))
  }

  private static func number(_ row: Row, _ column: Int) -> Int64? {
    if case .int64(let number) = DatabaseValue.Storage(row, column) { number } else { nil }
  }
}

extension DatabaseValue.Storage {
  init(_ row: Row, _ column: Int) {
    self = (row[column] as DatabaseValue).storage
  }
}
