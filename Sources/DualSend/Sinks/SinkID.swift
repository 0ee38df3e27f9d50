@_spi(Tools) import DualSendCore

/// What tells the sinks of one adapter apart: in scopes, statistics, and in a rollout document that narrows one.
///
/// Equal iff the UTF-8 bytes are. A rollout document can name ids of letters, digits, `_`, `-` and `.`.
public struct SinkID: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral {
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
  public static let oldLogger: SinkID = "oldLogger"
  /// The new side's principal sink: the new tracker. `shouldSendLogToNewTracker` alone decides about it.
  public static let newTracker: SinkID = "newTracker"

  /// Whether the bytes are equal.
  public static func == (left: SinkID, right: SinkID) -> Bool {
    left.rawValue.isExactly(right.rawValue)
  }

  /// Feeds the bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ExactText(rawValue))
  }
}

extension SinkID: Comparable {
  /// Orders by bytes.
  public static func < (left: SinkID, right: SinkID) -> Bool {
    left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
  }
}

extension SinkID: CustomStringConvertible {
  /// The text.
  public var description: String { rawValue }
}
