import DualSendCore

extension Sink {
  /// What tells the sinks of one front apart: in scopes, statistics, and in a rollout document that narrows one.
  ///
  /// An app names its own once, so that call sites and scopes cannot misspell one:
  ///
  /// ```swift
  /// extension Sink.ID {
  ///   static let amplitude: Sink.ID = "amplitude"
  /// }
  ///
  /// logger.log("home.view", to: .only([.amplitude]))
  /// ```
  ///
  /// Equal iff the UTF-8 bytes are. A rollout document can name ids of letters, digits, `_`, `-` and `.`.
  public struct ID: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral {
    /// The text.
    public let rawValue: String

    /// Takes any text.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Takes a literal.
    public init(stringLiteral text: String) {
      rawValue = text
    }

    /// The old side's principal sink: the logger that the app has today. `shouldSendLogToOldLogger` alone decides about it.
    public static let oldLogger: Sink.ID = "oldLogger"
    /// The new side's principal sink: the new tracker. `shouldSendLogToNewTracker` alone decides about it.
    public static let newTracker: Sink.ID = "newTracker"

    /// Whether the bytes are equal.
    public static func == (left: Sink.ID, right: Sink.ID) -> Bool {
      left.rawValue.isExactly(right.rawValue)
    }

    /// Feeds the bytes.
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
