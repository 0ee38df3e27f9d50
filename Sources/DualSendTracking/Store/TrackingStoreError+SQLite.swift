import GRDB

extension TrackingStoreError {
  init(_ error: any Error) {
    if let error = error as? TrackingStoreError {
      self = error
      return
    }
    if error is RowDecodingError {
      // Every column is NOT NULL, so this is damage. The error's own text would show the row.
      self.init(kind: .damaged, message: "a row does not match its table")
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
      // The store's statements keep all constraints, so a violation means that a table and its counters contradict.
      case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH: .damaged
      case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM: .inputOutput
      default: .other
      }
    self.init(kind: kind, message: "\(error.message ?? "no message") (SQLite \(error.extendedResultCode.rawValue))")
  }
}
