import DualSendCore
package import DualSendTracking
package import Foundation
import GRDB

/// Reads the dead letters of a database without changing it, for `dualsend db letters`.
package enum StoredDeadLetters {
  /// The dead letters, oldest first.
  package static func read(_ file: URL) throws(TrackingStoreError) -> [DeadLetter] {
    let snapshot = try DatabaseSnapshot(file)
    do {
      return try snapshot.queue.read { db in
        try StoreInspection.checkTables(db)
        let rows = try Row.fetchCursor(
          db, sql: "SELECT id, time, name, attempts, reason, body FROM deadLetter ORDER BY number")
        var letters: [DeadLetter] = []
        while let row = try rows.next() {
          guard let id = StoreFormat.eventID(try row.decode(Data.self, atIndex: 0)) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row does not match its table")
          }
          let event = TrackingData(
            id: id, time: try row.decode(atIndex: 1), name: try row.decode(atIndex: 2),
            body: Array(try row.decode(Data.self, atIndex: 5)), attempts: try row.decode(atIndex: 3))
          letters.append(DeadLetter(event: event, reason: try row.decode(atIndex: 4)))
        }
        return letters
      }
    } catch {
      throw StoreFormat.error(error)
    }
  }
}
