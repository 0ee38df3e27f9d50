/// What must hold for a rule to match. A condition that is absent holds for everything; all that are there must hold.
///
/// Texts are equal if their UTF-8 bytes are.
public struct RolloutMatch: Sendable, Hashable {
  /// The event's name matches any of these.
  public let events: [EventPattern]?
  /// What the context must fulfil: at most one condition for each key, in the order of the format.
  public let conditions: [ContextCondition]

  /// Holds for everything.
  static let everything = RolloutMatch(events: nil, conditions: [])

  /// The app's version fulfils this; an unknown version does not.
  public var appVersion: VersionCondition? {
    guard case .version(let condition) = self[.property(.appVersion)] else { return nil }
    return condition
  }

  /// The unit is any of these; an unknown unit is none.
  public var unitIDs: [String]? {
    guard case .anyOf(let texts) = self[.property(.unitID)] else { return nil }
    return texts
  }

  /// Which values the rule asks for; `nil` if it does not ask.
  public subscript(key: ContextKey) -> ContextCondition.Test? {
    conditions.first { $0.key == key }?.test
  }

  /// Whether the event's name matches a pattern, or the rule has none.
  public func covers(_ eventName: String) -> Bool {
    events?.contains { $0.matches(eventName) } ?? true
  }
}
