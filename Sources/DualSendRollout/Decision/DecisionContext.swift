/// What is known about an app and its user when an event is decided. Whatever is not known matches no rule that asks.
public struct DecisionContext: Sendable, Hashable {
  /// The installation or user that the rollout is counted in.
  public var unitID: String?
  /// The app's version.
  public var appVersion: DecisionContext.AppVersion?
  /// The platform, spelled as the document spells it.
  public var platform: String?
  /// Anything else that rules may ask for, such as `country`.
  public var attributes: [String: String]

  /// Creates a context.
  public init(
    unitID: String? = nil, appVersion: DecisionContext.AppVersion? = nil, platform: String? = nil,
    attributes: [String: String] = [:]
  ) {
    self.unitID = unitID
    self.appVersion = appVersion
    self.platform = platform
    self.attributes = attributes
  }
}
