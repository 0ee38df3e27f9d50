public import DualSendCore

/// Why and since when a device keeps the new side off by itself.
public struct BreakerOpening: Sendable, Hashable {
  /// What opened the breaker.
  public enum Cause: String, Sendable, Hashable, CaseIterable {
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
  /// The app's version then.
  public let appVersion: String
  /// The rollout's revision then; `nil` where plain booleans or a default without a document decided.
  public let revision: Int64?
  /// The device's clock then, in milliseconds since 1970-01-01T00:00:00Z. A label: no decision depends on it.
  public let time: Int64

  /// Creates an opening.
  public init(cause: Cause, detail: String, appVersion: String, revision: Int64?, time: Int64) {
    self.cause = cause
    self.detail = detail
    self.appVersion = appVersion
    self.revision = revision
    self.time = time
  }
}

extension BreakerOpening: CustomStringConvertible {
  /// One line: `3 launches in a row ended early (app version 25.4, revision 12, 2026-01-01T00:00:00.000Z)`.
  public var description: String {
    let revision = revision.map { "revision \($0)" } ?? "no revision"
    let version = appVersion.isEmpty ? "no app version" : "app version \(appVersion)"
    return "\(detail) (\(version), \(revision), \(Timestamp.text(milliseconds: time)))".printable()
  }
}

extension BreakerOpening {
  /// The opening as an object, as the record and the report hold it.
  public var members: [String: EventValue] {
    var members: [String: EventValue] = [
      "cause": .string(cause.rawValue), "detail": .string(detail), "app_version": .string(appVersion),
      "opened_at": .int(time),
    ]
    if let revision { members["revision"] = .int(revision) }
    return members
  }

  /// Reads what ``members`` wrote; `nil` if anything is missing or has another type.
  init?(_ value: EventValue?) {
    guard case .object(let members)? = value, case .string(let word)? = members["cause"],
      let cause = Cause(rawValue: word), case .string(let detail)? = members["detail"],
      case .string(let appVersion)? = members["app_version"], case .int(let time)? = members["opened_at"]
    else { return nil }
    var revision: Int64?
    if case .int(let number)? = members["revision"] { revision = number }
    self.init(cause: cause, detail: detail, appVersion: appVersion, revision: revision, time: time)
  }
}
