package import DualSendCore
package import Foundation
import GRDB
import GRDBSQLite

/// A prepared statement for frequent operations, used through SQLite's C interface.
///
/// GRDB boxes each value, which takes longer than the row itself. GRDB still prepares and caches the statements and
/// runs the transactions.
struct RowStatement {
  private let prepared: Statement
  private let handle: SQLiteStatement
  private let connection: SQLiteConnection?

  init(_ sql: String, in db: Database) throws {
    prepared = try db.cachedStatement(sql: sql)
    handle = prepared.sqliteStatement
    connection = db.sqliteConnection
  }

  /// Binds an integer. The first index is 1; in an insertion of ``EventColumn/list``, a column's is one more than its own.
  /// It stays bound until the next one.
  func bind(_ value: Int64, at index: Int32) {
    sqlite3_bind_int64(handle, index, value)
  }

  /// Binds bytes without copying them. They must stay valid until the statement has run.
  func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32) {
    if let start = bytes.baseAddress {
      sqlite3_bind_blob64(handle, index, start, UInt64(bytes.count), nil)
    } else {
      sqlite3_bind_zeroblob(handle, index, 0)
    }
  }

  /// Binds UTF-8 text without copying it. It must stay valid until the statement has run. A string gives even empty
  /// text an address.
  func bind(text: UnsafeBufferPointer<UInt8>, at column: EventColumn) {
    _ = text.withMemoryRebound(to: CChar.self) { text in
      sqlite3_bind_text64(handle, column.rawValue + 1, text.baseAddress, UInt64(text.count), nil, UInt8(SQLITE_UTF8))
    }
  }

  func bind(_ value: Int64, at column: EventColumn) { bind(value, at: column.rawValue + 1) }
  func bind(_ bytes: UnsafeRawBufferPointer, at column: EventColumn) { bind(bytes, at: column.rawValue + 1) }

  /// Runs a statement that returns no rows.
  func run() throws {
    defer { sqlite3_reset(handle) }
    while try step() {}
  }

  /// Runs a query and calls `body` for each row until it returns `false`. A row is valid only during the call.
  func forEachRow(_ body: (StoredRow) throws -> Bool) throws {
    defer { sqlite3_reset(handle) }
    while try step() {
      guard try body(StoredRow(handle: handle)) else { return }
    }
  }

  private func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: connection.map(Self.message))
    }
  }

  private static func message(_ connection: SQLiteConnection) -> String {
    String(cString: sqlite3_errmsg(connection))
  }
}

/// The current row of a ``RowStatement``. Every column has one type, so other values mean damage.
struct StoredRow {
  static let damage = DatabaseError(
    resultCode: .SQLITE_CORRUPT, message: "a row does not match its table")

  fileprivate let handle: SQLiteStatement

  /// - Throws: a damaged-database error if the column has another type.
  func integer(_ column: Int32) throws -> Int64 {
    guard sqlite3_column_type(handle, column) == SQLITE_INTEGER else { throw Self.damage }
    return sqlite3_column_int64(handle, column)
  }

  /// An integer that an SQL function of doubles computed.
  ///
  /// - Throws: a damaged-database error if the result is not an integer that a double holds exactly.
  func wholeNumber(_ column: Int32) throws -> Int64 {
    let value = sqlite3_column_double(handle, column)
    guard abs(value) <= 0x1p53, let number = Int64(exactly: value) else { throw Self.damage }
    return number
  }

  /// The column's bytes; empty if it is `NULL`.
  func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    let start = sqlite3_column_blob(handle, column)
    return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
  }

  /// - Throws: a damaged-database error if the column has another type.
  func text(_ column: Int32) throws -> String {
    guard sqlite3_column_type(handle, column) == SQLITE_TEXT else { throw Self.damage }
    return withBytes(column) { String(decoding: $0, as: UTF8.self) }
  }

  /// The column's integer in a row of ``EventColumn/list``.
  func integer(_ column: EventColumn) throws -> Int64 { try integer(column.rawValue) }

  private func withBytes<Value>(_ column: EventColumn, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    withBytes(column.rawValue, body)
  }

  private func isBlob(_ column: EventColumn) -> Bool { sqlite3_column_type(handle, column.rawValue) == SQLITE_BLOB }

  /// The events in a row of ``EventColumn/list``, oldest first: one, or a run, whose row has an empty id. Compares the
  /// checksum.
  ///
  /// - Throws: a damaged-database error if the id is not 16 bytes long, a run's length is impossible, or a value has
  ///   another type.
  func waitingEvents() throws -> [TrackingData] {
    let checksum = try integer(.checksum)
    guard isRun else {
      var event = try event()
      event.isDamaged = withBytes(.body) { BodyChecksum.of($0) != BodyChecksum.body(in: checksum) }
      return [event]
    }
    let (last, attempts) = (try integer(.sequence), Int(exactly: try integer(.attempts)))
    guard let attempts,
      let events = withBytes(
        .body, { EventRun.events(of: $0, checksum: checksum, last: last, count: claimedCount, attempts: attempts) })
    else { throw Self.damage }
    return events
  }

  private var isRun: Bool { isBlob(.id) && withBytes(.id, \.isEmpty) }

  /// Whether the row is where it was written, and holds as many events as it says: neither is covered by the bodies.
  func isInPlace() throws -> Bool {
    RowPlace(sequence: try integer(.sequence), count: claimedCount ?? 1).fits(try integer(.checksum))
  }

  /// The value of `events` in a row of ``EventColumn/list``; `nil` if it is not an integer.
  var claimedCount: Int64? { try? integer(.events) }

  /// The event in a row of ``EventColumn/list``, or of a selection with an event's values in the same places.
  ///
  /// - Throws: a damaged-database error if the id is not 16 bytes long, or a value has another type.
  func event() throws -> TrackingData {
    guard let id = withBytes(.id, { EventID(blob: $0) }), isBlob(.body),
      let attempts = Int(exactly: try integer(.attempts))
    else { throw Self.damage }
    return TrackingData(
      sequence: try integer(.sequence), id: id, time: try integer(.time), name: try text(EventColumn.name.rawValue),
      body: withBytes(.body) { Array($0) }, attempts: attempts)
  }
}

extension EventID {
  /// The id's 16 bytes.
  func withBlob<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { try body($0) }
  }

  var blob: Data { withBlob { Data($0) } }

  /// The id of 16 bytes; `nil` for any other number of bytes.
  package init?(stored bytes: Data) {
    guard let id = bytes.withUnsafeBytes({ EventID(blob: $0) }) else { return nil }
    self = id
  }

  init?(blob: UnsafeRawBufferPointer) {
    guard blob.count == 16 else { return nil }
    self.init(
      high: UInt64(bigEndian: blob.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
      low: UInt64(bigEndian: blob.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
  }
}

extension [UInt8] {
  var blob: Data { Data(self) }
}
