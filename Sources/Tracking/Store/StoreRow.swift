import EventModel
import Foundation
import GRDB

extension EventID {
  /// The id's 16 bytes.
  var blob: Data {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Data($0) }
  }

  init?(blob: Data?) {
    guard let blob, blob.count == 16 else { return nil }
    let words = blob.withUnsafeBytes { bytes in
      (bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    self.init(high: UInt64(bigEndian: words.0), low: UInt64(bigEndian: words.1))
  }
}

extension [UInt8] {
  var blob: Data { Data(self) }
}

extension TrackingData {
  /// Reads `sequence, id, time, name, attempts, body`.
  ///
  /// - Throws: a damaged-database error if a value is not what the store writes, such as an id of 16 bytes.
  init(row: Row) throws {
    guard let id = try? row.withUnsafeData(atIndex: 1, { EventID(blob: $0) }),
      let body = try? row.withUnsafeData(atIndex: 5, { $0.map { Array($0) } ?? [] })
    else { throw DatabaseError.damaged("an event's id is not 16 bytes long, or its body is no bytes") }
    self.init(
      sequence: try row.value(0), id: id, time: try row.value(2), name: try row.value(3), body: body,
      attempts: try row.count(4))
  }
}

extension Row {
  /// Far above what any tracker counts, and low enough that no sum of a database's counts overflows.
  static let maximumCount = 1 << 44

  /// A column's value. GRDB's own subscripts end the process where a row holds something else, as damage can make it.
  ///
  /// - Throws: a damaged-database error.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ index: Int) throws -> Value {
    do { return try decode(atIndex: index) } catch {
      throw DatabaseError.damaged("column \(index) of a row holds something that the store never writes")
    }
  }

  /// A count of events or bytes.
  ///
  /// - Throws: a damaged-database error if there is no such number, or one that no tracker reaches.
  func count(_ index: Int) throws -> Int {
    let count: Int = try value(index)
    guard count.magnitude <= Self.maximumCount else { throw DatabaseError.damaged("a count is out of all proportion") }
    return count
  }
}

extension DatabaseError {
  /// What SQLite itself does not notice, because any value may stand in any column.
  static func damaged(_ message: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: message)
  }
}

extension TrackingStoreError {
  init(_ error: any Error) {
    if error is RowDecodingError {
      // Its own words quote the row.
      self.init(kind: .damaged, message: "a row holds something that the store never writes")
      return
    }
    guard let error = error as? DatabaseError else {
      self.init(kind: .inputOutput, message: String(describing: error))
      return
    }
    let kind: Kind =
      switch error.resultCode {
      case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
      case .SQLITE_FULL: .full
      case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged
      case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM: .inputOutput
      default: .other
      }
    self.init(kind: kind, message: "\(error.message ?? "no message") (SQLite \(error.extendedResultCode.rawValue))")
  }
}
