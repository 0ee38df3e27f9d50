/// Why the store could not do what it was asked; nothing was changed. Never holds an event's values.
public struct TrackingStoreError: Error, Sendable, Hashable {
  /// What the fault means for the events.
  public enum Kind: String, Sendable, Hashable {
    /// Another connection holds the database. Goes by itself.
    case busy
    /// The disk or the quota of the file system is full. Goes when space is freed.
    case full
    /// The system refused to read or write, or the file cannot be opened. May go by itself.
    case inputOutput
    /// The file is not a database, or not a sound one. Does not go by itself; the file is set aside.
    case damaged
    /// Anything else.
    case other
  }

  /// What the fault means.
  public let kind: Kind
  /// The store's own words and code.
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
