import DualSendCore

/// A rule of a rollout: sets flags or the shares of named sinks for the events and contexts that it matches.
package struct RolloutRule: Sendable, Equatable {
  /// The rule's name, for people.
  package let name: String?
  /// The events and contexts that the rule matches.
  package let match: RolloutMatch
  /// The share of units with the old logger; `nil` if later rules or the top level decide.
  package let shouldSendLogToOldLogger: RolloutFlag?
  /// The share of units with the new tracker; `nil` if later rules or the top level decide.
  package let shouldSendLogToNewTracker: RolloutFlag?
  /// Whether units may have neither sink where this rule decides one of the two flags: the event is retired on purpose.
  package let allowNeither: Bool
  let offsets: RolloutOffsets
  /// The named sinks whose shares the rule sets, in the order of the document.
  package internal(set) var sinks: [RolloutSinkShare] = []
}

/// The byte offsets of a rule or the top level in the document's text.
struct RolloutOffsets: Sendable, Equatable {
  let start: Int
  let oldLogger: Int?
  let newTracker: Int?
  /// Only for the top level.
  var revision: Int?
}

/// The conditions of a rule, all of which must hold.
///
/// Texts are equal if their UTF-8 bytes are.
package struct RolloutMatch: Sendable, Equatable {
  /// The patterns, one of which must match the event's name; `nil` for every event.
  package let events: [EventPattern]?
  /// The conditions on the context: at most one for each key, in the order of the format.
  package let conditions: [ContextCondition]

  /// Matches every event in every context.
  static let everything = RolloutMatch(events: nil, conditions: [])

  /// The condition on the app's version.
  package var appVersion: VersionCondition? {
    guard case .version(let condition) = self[.property(.appVersion)] else { return nil }
    return condition
  }

  /// The units that the rule names.
  package var unitIDs: [String]? {
    guard case .anyOf(let texts) = self[.property(.unitID)] else { return nil }
    return texts
  }

  /// The test of one value of the context; `nil` if the rule does not test it.
  package subscript(key: ContextKey) -> ContextCondition.Test? {
    conditions.first { $0.key == key }?.test
  }

  /// Whether a pattern matches the event's name, or there are no patterns.
  package func covers(_ eventName: String) -> Bool {
    events?.contains { $0.matches(eventName) } ?? true
  }
}

/// A pattern for event names: one name, or every name that starts with a prefix. Compares UTF-8 bytes.
package enum EventPattern: Sendable, Hashable {
  /// One name.
  case exact(String)
  /// Every name that starts with this text, including the text itself; empty for every event.
  case prefix(String)

  /// Compares the UTF-8 bytes.
  package static func == (left: EventPattern, right: EventPattern) -> Bool {
    switch (left, right) {
    case (.exact(let left), .exact(let right)), (.prefix(let left), .prefix(let right)): left.isExactly(right)
    default: false
    }
  }

  /// The pattern's text without its `*`.
  package var stem: String {
    switch self {
    case .exact(let text), .prefix(let text): text
    }
  }

  /// Parses `home.tap` or `home.*`; `nil` for an empty text and for a `*` that is not at the end.
  package init?(_ text: String) {
    let stem = text.hasSuffix("*") ? String(text.dropLast()) : text
    guard !text.isEmpty, !stem.utf8.contains(UInt8(ascii: "*")) else { return nil }
    self = text.hasSuffix("*") ? .prefix(stem) : .exact(stem)
  }

  /// Whether the pattern matches an event's name.
  package func matches(_ name: String) -> Bool {
    switch self {
    case .exact(let text): name.utf8.elementsEqual(text.utf8)
    case .prefix(let text): name.utf8.starts(with: text.utf8)
    }
  }
}

extension EventPattern: CustomStringConvertible {
  /// The pattern as in a document.
  package var description: String {
    switch self {
    case .exact(let text): text
    case .prefix(let text): text + "*"
    }
  }
}
