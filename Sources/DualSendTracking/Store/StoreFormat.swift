import DualSendCore
package import Foundation

/// What a tool needs to read a tracker's database without opening it as a store.
package enum StoreFormat {
  /// The page size of a new database, in bytes. An event has about 500 bytes, and a commit writes whole pages: with
  /// SQLite's default of ``sampleTrackerPageSize`` a device that logs now and then writes 1.6 times as much.
  package static let pageSize = 2048
  /// The page size of a sample tracker's database, which keeps it.
  package static let sampleTrackerPageSize = 4096
  /// The tables of a tracker's database.
  package static let tables: Set = ["event", "deadLetter", "ledger", "note"]

  /// Adds uncounted events to a database's counters.
  package static func count(_ events: Int64, bytes: Int64, in counters: inout [String: Int64]) {
    for (counter, amount) in [
      (LedgerCounter.accepted, events), (LedgerCounter.pending, events), (LedgerCounter.pendingBytes, bytes),
    ] { counters[counter, default: 0] &+= amount }
  }

  /// The note of the end of a server's `Retry-After`, in milliseconds since 1970.
  package static let notBeforeNote = TrackingDispatcher.retryAfterNote

  /// The existing databases of a location: its own file, and those of further trackers (`events-2.sqlite`), including
  /// those of which only the WAL is left.
  package static func databases(at main: URL) -> [URL] {
    DatabaseFiles(main: main).present
  }

  /// A value in a database.
  package enum Value {
    case null, number(Int64), bytes(Data), text(String)
  }

  /// The values of a row of the table `event`.
  package struct EventRow {
    /// Of its event, or of the last event of a run.
    package var sequence: Int64
    /// The event's id, 16 bytes; empty for a run.
    package var id: Data
    /// In milliseconds since 1970-01-01T00:00:00Z.
    package var time: Int64
    /// The event's name; empty for a run.
    package var name: String
    /// How many requests with its events failed.
    package var attempts: Int64
    /// The event's body, or a run's blob.
    package var body: Data
    /// The checksum of the body; `nil` if there is no number in its place.
    package var checksum: Int64?
    /// How many events a run has.
    package var count: Int64?

    /// Reads a row; `nil` if a value does not have the type of its column.
    package init?(_ value: (EventColumn) -> Value) {
      guard case .number(let sequence) = value(.sequence), case .bytes(let id) = value(.id),
        case .number(let time) = value(.time), case .text(let name) = value(.name),
        case .number(let attempts) = value(.attempts), case .bytes(let body) = value(.body)
      else { return nil }
      (self.sequence, self.id, self.time, self.name) = (sequence, id, time, name)
      (self.attempts, self.body) = (attempts, body)
      if case .number(let number) = value(.checksum) { checksum = number }
      if case .number(let number) = value(.events) { count = number }
    }

    /// The row's events, oldest first, the damaged ones marked; `nil` if no tracker writes such a row, or there is no
    /// memory to decompress it.
    package var events: [TrackingData]? {
      guard let attempts = Int(exactly: attempts) else { return nil }
      return body.withUnsafeBytes { body in
        guard !id.isEmpty else {
          let run = EventRun.events(of: body, checksum: checksum, last: sequence, count: count, attempts: attempts)
          return run.flatMap { try? $0.markedIfUnreadable() }
        }
        guard let id = EventID(stored: id) else { return nil }
        var event = TrackingData(
          sequence: sequence, id: id, time: time, name: name, body: Array(body), attempts: attempts)
        event.isDamaged = checksum.map { BodyChecksum.body(in: $0) } != BodyChecksum.of(body)
        return [event]
      }
    }

    /// Whether the row has the sequence and the number of events that it was written with.
    package var isInPlace: Bool {
      checksum.map { RowPlace(sequence: sequence, count: count ?? 1).fits($0) } ?? false
    }
  }
}
