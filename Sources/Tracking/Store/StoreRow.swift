import EventModel
import Foundation
import GRDB

extension EventID {
  /// The id's 16 bytes.
  func withBlob<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { try body($0) }
  }

  var blob: Data { withBlob { Data($0) } }

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
