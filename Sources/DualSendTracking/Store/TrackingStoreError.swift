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
    case .damaged: "the database is damaged: \(message)"
    case .other: "the database failed: \(message)"
    }
  }
}
