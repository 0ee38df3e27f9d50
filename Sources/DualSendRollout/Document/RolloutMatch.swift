/// What must hold for a rule to match. A condition that is absent holds for everything; all that are there must hold.
///
/// Texts are equal if their UTF-8 bytes are.
public struct RolloutMatch: Sendable, Hashable {
  /// The event's name matches any of these.
  public let events: [EventPattern]?
  /// The app's version fulfils this; an unknown version does not.
  public let appVersion: VersionCondition?
  /// The platform is any of these; an unknown platform is none.
  public let platforms: [String]?
  /// For every key: the attribute is any of these values; an absent attribute is none.
  public let attributes: [String: [String]]
  /// The unit is any of these; an unknown unit is none.
  public let unitIDs: [String]?

  /// Holds for everything.
  static let everything = RolloutMatch(events: nil, appVersion: nil, platforms: nil, attributes: [:], unitIDs: nil)
}
