import GRDB

/// An error of the store. Nothing was changed. Never holds an event's values.
public struct TrackingStoreError: Error, Sendable, Hashable {
  /// The kind of error.
  public enum Kind: String, Sendable, Hashable {
    /// Another connection has locked the database. Temporary.
    case busy
    /// The disk or the quota of the file system is full, until space is freed.
    case full
    /// The system refused to read or write, or the file cannot be opened. May be temporary.
    case inputOutput
    /// No folder for the database can be made or written, or the system forbids a lock there. Events are kept, and delivered,
    /// from memory.
    case unusableFolder
    /// The file is not a valid database. Permanent; the file is set aside.
    case damaged
    /// Anything else.
    case other
  }

  /// The kind of error.
  public let kind: Kind
  /// The store's message and code.
  public let message: String

  /// Creates an error.
  public init(kind: Kind, message: String) {
    self.kind = kind
    self.message = message
  }
}

extension TrackingStoreError: CustomStringConvertible {
  /// One factual line.
  public var description: String {
    switch kind {
    case .busy: "the database is busy: \(message)"
    case .full: "there is no space left for the database: \(message)"
    case .inputOutput: "the database cannot be read or written: \(message)"
    case .unusableFolder: "there is no folder for the database: \(message)"
    case .damaged: "the database is damaged: \(message)"
    case .other: "the database failed: \(message)"
    }
  }
}

// MARK: - Errors of SQLite

extension TrackingStoreError {
  package init(_ error: any Error) {
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
