import DualSendCore

extension Sink {
  /// Identifies a sink in scopes, statistics and rollout documents.
  ///
  /// Define your own ids once, so that call sites and scopes cannot misspell them:
  ///
  /// ```swift
  /// extension Sink.ID {
  ///   static let amplitude: Sink.ID = "amplitude"
  /// }
  ///
  /// logger.log("home.view", to: .only([.amplitude]))
  /// ```
  ///
  /// Compared by UTF-8 bytes. A rollout document can name ids of letters, digits, `_`, `-` and `.`.
  public struct ID: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral {
    /// The text.
    public let rawValue: String

    /// Creates an id.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Creates an id from a literal.
    public init(stringLiteral text: String) {
      rawValue = text
    }

    /// The app's old logger. Only `shouldSendLogToOldLogger` decides about it.
    public static let oldLogger: Sink.ID = "oldLogger"
    /// The new tracker. Only `shouldSendLogToNewTracker` decides about it.
    public static let newTracker: Sink.ID = "newTracker"

    /// Whether the bytes are equal.
    public static func == (left: Sink.ID, right: Sink.ID) -> Bool {
      left.rawValue.isExactly(right.rawValue)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(ExactText(rawValue))
    }
  }
}

extension Sink.ID: Comparable {
  /// Orders by bytes.
  public static func < (left: Sink.ID, right: Sink.ID) -> Bool {
    left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
  }
}

extension Sink.ID: CustomStringConvertible {
  /// The text.
  public var description: String { rawValue }
}
