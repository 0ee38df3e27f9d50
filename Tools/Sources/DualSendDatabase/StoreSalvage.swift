@_spi(Tools) import DualSendCore
@_spi(Tools) package import DualSendTracking
package import Foundation
import GRDB

/// Reads what can still be read from a damaged database: for `dualsend salvage`.
package enum StoreSalvage {
  /// Hands over every event that SQLite still finds, each once.
  ///
  /// It walks the events forwards and, where damage ends the walk, backwards from the end, so that one bad page costs
  /// what stands on it and not what lies behind.
  ///
  /// - Returns: how many events were read, and what ended each walk, if anything did.
  package static func events(
    of file: URL, _ body: (TrackingData) throws -> Void
  ) throws -> (count: Int, faults: [TrackingStoreError]) {
    try StoreFormat.check(file)
    var configuration = Configuration()
    configuration.readonly = true
    let queue: DatabaseQueue
    do { queue = try DatabaseQueue(path: file.path, configuration: configuration) } catch {
      throw StoreFormat.error(error)
    }
    var seen: Set<Int64> = []
    var faults: [TrackingStoreError] = []
    for order in ["ASC", "DESC"] where order == "ASC" || !faults.isEmpty {
      do {
        try queue.read { db in
          let rows = try Row.fetchCursor(
            db, sql: "SELECT \(StoreFormat.eventColumns) FROM event ORDER BY sequence \(order)")
          while let row = try rows.next() {
            if let event = TrackingData(row), seen.insert(event.sequence).inserted { try body(event) }
          }
        }
      } catch let error as DatabaseError {
        faults.append(StoreFormat.error(error))
      }
    }
    return (seen.count, faults)
  }
}

extension TrackingData {
  /// The event in a row of ``StoreFormat/eventColumns``; `nil` if a value is not what it should be.
  fileprivate init?(_ row: Row) {
    guard case .int64(let sequence) = DatabaseValue.Storage(row, 0),
      case .blob(let idBytes) = DatabaseValue.Storage(row, 1),
      idBytes.count == 16, case .int64(let time) = DatabaseValue.Storage(row, 2),
      case .string(let name) = DatabaseValue.Storage(row, 3), case .int64(let attempts) = DatabaseValue.Storage(row, 4),
      case .blob(let body) = DatabaseValue.Storage(row, 5)
    else { return nil }
    let words = [idBytes.prefix(8), idBytes.suffix(8)].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    self.init(
      sequence: sequence, id: EventID(high: words[0], low: words[1]), time: time, name: name, body: Array(body),
      attempts: Int(attempts))
  }
}

extension DatabaseValue.Storage {
  fileprivate init(_ row: Row, _ column: Int) {
    self = (row[column] as DatabaseValue).storage
  }
}
