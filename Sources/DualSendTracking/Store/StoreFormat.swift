public import DualSendCore
public import Foundation

/// What a tool has to know to read a tracker's database without opening it as a store.
public enum StoreFormat {
  /// The tables of a tracker's database.
  public static let tables: Set = ["event", "deadLetter", "ledger", "note"]
  /// The columns of ``tables``' `event` that make a ``TrackingData``.
  public static let eventColumns = StoredRow.columns
  /// The same of a database from before there were checksums.
  public static let eventColumnsWithoutChecksum = StoredRow.columnsWithoutChecksum
  /// The counter of the newest sequence.
  public static let lastSequenceCounter = LedgerCounter.lastSequence
  /// The counter of the bytes that wait.
  public static let pendingBytesCounter = LedgerCounter.pendingBytes
  /// The note of the moment before which a server asked not to be asked again, in milliseconds since 1970.
  public static let notBeforeNote = TrackingDispatcher.retryAfterNote

  /// The databases that stand where a tracker was told to keep its own: that one, and those of trackers that found it
  /// taken (`events-2.sqlite`), as far as they or their logs are there.
  public static func databases(at main: URL) -> [URL] {
    DatabaseFiles(main: main).present
  }

  /// Whether the body of a row is another than the one that was stored.
  ///
  /// - Parameters:
  ///   - body: the body as it is in the row.
  ///   - checksum: `nil` in a row from before there were checksums.
  public static func isDamaged(_ body: UnsafeRawBufferPointer, checksum: Int64?) -> Bool {
    if let checksum { return BodyChecksum.of(body) != checksum }
    return !TrackingData.isObject(body)
  }

  /// The event's id that 16 bytes make; `nil` for any other number of bytes.
  public static func eventID(_ bytes: Data) -> EventID? {
    bytes.withUnsafeBytes { EventID(blob: $0) }
  }

  /// The databases of this name that were set aside, oldest first; of some there is only the log.
  public static func databasesSetAside(beside file: URL) -> [URL] {
    DamagedDatabase.setAside(beside: file)
  }

  /// Refuses pipes, sockets and devices in the places of a database's files; opening them might never return.
  public static func checkFiles(_ file: URL) throws(TrackingStoreError) {
    try StandingFiles.check(file)
  }

  /// Refuses a file that is not a database, because SQLite would delete the WAL beside it.
  public static func check(_ file: URL) throws(TrackingStoreError) {
    try DamagedDatabase.check(file)
  }

  /// What the store would say of an error of its database.
  public static func error(_ error: any Error) -> TrackingStoreError {
    TrackingStoreError(error)
  }

  /// The ledger that the counters of a database make; `nil` if one of them cannot be.
  public static func ledger(_ counters: [String: Int]) -> TrackingLedger? {
    TrackingLedger(counters)
  }
}

extension TrackingLedger {
  /// Reads the counters of a database; `nil` if one of them cannot be.
  init?(_ counters: [String: Int]) {
    self.init()
    for (counter, value) in counters {
      guard LedgerCounter.range.contains(value) else { return nil }
      switch counter {
      case LedgerCounter.accepted: accepted = value
      case LedgerCounter.delivered: delivered = value
      case LedgerCounter.deadLettered: deadLettered = value
      case LedgerCounter.deadLettersErased: deadLettersErased = value
      case LedgerCounter.pending: pending = value
      case LedgerCounter.databasesSetAside: databasesSetAside = value
      default: if let reason = LedgerCounter.droppedReason(counter) { dropped[reason, default: 0] += value }
      }
    }
  }
}
