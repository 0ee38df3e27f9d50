import DualSendCore

/// Why and since when a device keeps the new side off by itself.
public struct BreakerOpening: Sendable, Hashable, Codable, CustomStringConvertible {
  /// What opened the breaker.
  public enum Cause: String, Sendable, Hashable, CaseIterable, Codable {
    /// Launches ended early, several in a row.
    case earlyEnds
    /// The event store could not be opened or written for too long.
    case store
    /// The collector refused too many events for good.
    case deadLetters
  }

  /// What opened the breaker.
  public let cause: Cause
  /// The cause in words and numbers, such as `3 launches in a row ended early`. Never holds an event's values.
  public let detail: String
  /// The rollout's revision then; `nil` where plain booleans or a default without a document decided.
  public let revision: Int64?
  /// The device's clock then, in milliseconds since 1970-01-01T00:00:00Z. A label: no decision depends on it.
  public let time: Int64

  package init(cause: Cause, detail: String, revision: Int64?, time: Int64) {
    (self.cause, self.detail, self.revision, self.time) = (cause, detail, revision, time)
  }

  /// One line: `3 launches in a row ended early (revision 12, 2026-01-01T00:00:00.000Z)`.
  public var description: String {
    "\(detail) (\(revision.map { "revision \($0)" } ?? "no revision"), \(Timestamp.text(milliseconds: time)))"
      .printable()
  }
}
