/// The conditions of a rule, all of which must hold.
///
/// Texts are equal if their UTF-8 bytes are.
public struct RolloutMatch: Sendable, Equatable {
  /// The patterns, one of which must match the event's name; `nil` for every event.
  public let events: [EventPattern]?
  /// The conditions on the context: at most one for each key, in the order of the format.
  public let conditions: [ContextCondition]

  /// Matches every event in every context.
  static let everything = RolloutMatch(events: nil, conditions: [])

  /// The condition on the app's version.
  public var appVersion: VersionCondition? {
    guard case .version(let condition) = self[.property(.appVersion)] else { return nil }
    return condition
  }

  /// The units that the rule names.
  public var unitIDs: [String]? {
    guard case .anyOf(let texts) = self[.property(.unitID)] else { return nil }
    return texts
  }

  /// The test of one value of the context; `nil` if the rule does not test it.
  public subscript(key: ContextKey) -> ContextCondition.Test? {
    conditions.first { $0.key == key }?.test
  }

  /// Whether a pattern matches the event's name, or there are no patterns.
  public func covers(_ eventName: String) -> Bool {
    events?.contains { $0.matches(eventName) } ?? true
  }
}
