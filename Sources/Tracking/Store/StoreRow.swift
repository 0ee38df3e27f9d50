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
  /// - Throws: a damaged-database error if the id is not 16 bytes long, or a value is missing: only damage makes it so.
  init(row: Row) throws {
    guard let id = try? row.withUnsafeData(atIndex: 1, { EventID(blob: $0) }),
      let body = try? row.withUnsafeData(atIndex: 5, { $0.map { Array($0) } })
    else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an event's id is not 16 bytes long, or it has no body")
    }
    self.init(
      sequence: try row.decode(atIndex: 0), id: id, time: try row.decode(atIndex: 2), name: try row.decode(atIndex: 3),
      body: body, attempts: try row.decode(atIndex: 4))
  }
}

extension TrackingStoreError {
  init(_ error: any Error) {
    if error is RowDecodingError {
      // Every column is NOT NULL: only damage puts NULL, or a number out of range, into a row. The error's own text
      // would show the row.
      self.init(kind: .damaged, message: "a row does not hold what its table says")
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
      // The store's own statements keep every constraint; where one breaks, a table and its counters contradict.
      case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH: .damaged
      case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM: .inputOutput
      default: .other
      }
    self.init(kind: kind, message: "\(error.message ?? "no message") (SQLite \(error.extendedResultCode.rawValue))")
  }
}
