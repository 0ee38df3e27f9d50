import DualSend
import DualSendCommandLine
package import DualSendCore
package import DualSendRollout
import DualSendRolloutAnalysis
import Foundation

/// One publication of a rollout document, or the attempt of one: who, why, when, and from which text to which.
package struct Publication: Sendable, Hashable {
  /// What published it.
  package enum Means: String, Sendable, Hashable {
    case publish
    case console
    case kill
    case rollback
    case `guard`
    /// Published in another way, and recorded by `dualsend history --add`.
    case added
  }

  /// A text's revision and hash. The revision is `nil` if the text is not a valid document.
  package struct Version: Sendable, Hashable {
    package let revision: Int64?
    /// SHA-256 of the exact bytes.
    package let hash: String

    package init(_ bytes: [UInt8]) {
      revision = try? RolloutDocument(reading: bytes, name: "").revision
      hash = DocumentHash.text(of: bytes)
    }

    fileprivate init(revision: Int64?, hash: String) { (self.revision, self.hash) = (revision, hash) }
  }

  private static let formatVersion: Int64 = 1
  /// The longest message, in characters.
  private static let messageLimit = 2_000
  private static let userLimit = 200

  package let by: Means
  /// Milliseconds since 1970-01-01T00:00:00Z.
  package let time: Int64
  package let user: String
  package let message: String?
  /// The text before; `nil` if it is not known.
  package let before: Version?
  package let after: Version
  package let text: String
  /// The plan as `dualsend plan` prints it.
  package var plan: String?
  /// The numbers that allowed the publication.
  package var gate: EventValue?
  /// The entry that a rollback goes back to.
  package var backTo: String?
  /// The events that a kill stops, as patterns; empty for every other publication.
  package var stops: [String] = []
  package var patterns: [EventPattern] { stops.compactMap { EventPattern($0) } }
  /// The entry of the kill that this takes back.
  package var undoes: String?
  /// The signature that belongs to the text.
  package var signature: String?
  /// Whether it was recorded before it was sent, so that an ``Outcome`` follows.
  package var isAttempt = false

  /// - Parameter user: `nil` takes the system's user.
  package init(
    by: Means, time: Int64, user: String?, message: String?, before: [UInt8]?, after: [UInt8], plan: String? = nil,
    gate: EventValue? = nil, backTo: String? = nil
  ) {
    (self.by, self.time, self.message) = (by, time, message)
    self.user = user ?? NSUserName()
    self.before = before.map { Version($0) }
    self.after = Version(after)
    text = String(decoding: after, as: UTF8.self)
    (self.plan, self.gate, self.backTo) = (plan, gate, backTo)
  }

  /// A message without white space around it; `nil` if it is empty.
  ///
  /// - Throws: ``CommandError`` if it is too long or has control characters other than line breaks and tabs.
  package static func message(_ text: String) throws -> String? {
    try checked(text, "the message", limit: messageLimit, allowing: "\n\t")
  }

  /// A name for ``user``.
  package static func user(_ text: String) throws -> String {
    guard let name = try checked(text, "the user's name", limit: userLimit, allowing: "") else {
      throw CommandError("the user's name is empty")
    }
    return name
  }

  private static func checked(_ text: String, _ what: String, limit: Int, allowing: String) throws -> String? {
    let text = text.replacing("\r\n", with: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.unicodeScalars.count <= limit else {
      throw CommandError("\(what) has more than \(limit.grouped) characters", help: "shorten it")
    }
    let controls = text.unicodeScalars.contains {
      [.control, .format].contains($0.properties.generalCategory) && $0 != "\u{200D}"
        && !allowing.unicodeScalars.contains($0)
    }
    guard !controls else { throw CommandError("\(what) has control characters", help: "remove them") }
    return text.isEmpty ? nil : text
  }

  // MARK: JSON

  package var json: EventValue {
    var members: [String: EventValue] = [
      "formatVersion": .int(Self.formatVersion), "by": .string(by.rawValue),
      "time": .string(Timestamp.text(milliseconds: time)), "user": .string(user), "after": after.json,
      "text": .string(text),
    ]
    members["message"] = message.map { .string($0) }
    members["before"] = before?.json
    members["plan"] = plan.map { .string($0) }
    members["gate"] = gate
    members["backTo"] = backTo.map { .string($0) }
    members["stops"] = stops.isEmpty ? nil : .array(stops.map { .string($0) })
    members["undoes"] = undoes.map { .string($0) }
    members["signature"] = signature.map { .string($0) }
    members["state"] = isAttempt ? "sent" : nil
    return .object(members)
  }

  /// - Returns: `nil` for anything but what ``json`` makes, and for a text that does not match its hash.
  package init?(_ value: EventValue) {
    guard case .object(let members) = value, members["formatVersion"] == .int(Self.formatVersion),
      let by = members["by"]?.string.flatMap(Means.init), let time = members["time"]?.string,
      let time = Timestamp.milliseconds(text: time), let user = members["user"]?.string,
      let after = members["after"].flatMap(Version.init), let text = members["text"]?.string,
      DocumentHash.text(of: Array(text.utf8)) == after.hash
    else { return nil }
    (self.by, self.time, self.user, self.after, self.text) = (by, time, user, after, text)
    message = members["message"]?.string
    before = members["before"].flatMap(Version.init)
    (plan, gate) = (members["plan"]?.string, members["gate"])
    (backTo, undoes) = (members["backTo"]?.string, members["undoes"]?.string)
    if case .array(let stops)? = members["stops"] { self.stops = stops.compactMap(\.string) }
    signature = members["signature"]?.string
    isAttempt = members["state"] == "sent"
  }
}

// MARK: - Outcome

extension Publication {
  /// What became of an attempt.
  package enum Outcome: Sendable, Hashable {
    case published
    /// The target is unchanged, for this reason.
    case refused(String)
    /// The target may have the text; with the reason why that is not known, if the command was not interrupted.
    case unknown(String?)

    var word: String {
      switch self {
      case .published: "published"
      case .refused: "refused"
      case .unknown: "unknown"
      }
    }

    var reason: String? {
      switch self {
      case .published: nil
      case .refused(let reason): reason
      case .unknown(let reason): reason
      }
    }
  }

  /// The line of an outcome.
  ///
  /// - Parameter attempt: the entry of the attempt.
  static func line(_ outcome: Outcome, of attempt: String, time: Int64) -> EventValue {
    var members: [String: EventValue] = [
      "formatVersion": .int(formatVersion), "attempt": .string(attempt), "outcome": .string(outcome.word),
      "time": .string(Timestamp.text(milliseconds: time)),
    ]
    members["reason"] = outcome.reason.map { .string($0) }
    return .object(members)
  }

  /// Reads such a line; `nil` for any other one.
  static func outcome(_ value: EventValue) -> (attempt: String, outcome: Outcome)? {
    guard case .object(let members) = value, members["formatVersion"] == .int(formatVersion),
      let attempt = members["attempt"]?.string, let word = members["outcome"]?.string
    else { return nil }
    let reason = members["reason"]?.string
    switch word {
    case "published": return (attempt, .published)
    case "refused": return (attempt, .refused(reason ?? ""))
    case "unknown": return (attempt, .unknown(reason))
    default: return nil
    }
  }
}

extension Publication.Version {
  fileprivate var json: EventValue { ["revision": revision.map { .int($0) } ?? .null, "sha256": .string(hash)] }

  fileprivate init?(_ value: EventValue) {
    guard case .object(let members) = value, let hash = members["sha256"]?.string else { return nil }
    var revision: Int64?
    if case .int(let number)? = members["revision"] { revision = number }
    self.init(revision: revision, hash: hash)
  }
}

extension EventValue {
  fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }
}
