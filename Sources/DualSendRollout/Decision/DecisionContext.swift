import DualSendCore

/// What is known about an app and its user when an event is decided. Whatever is not known matches no rule that asks.
public struct DecisionContext: Sendable, Hashable {
  /// The installation or user that the rollout is counted in.
  public var unitID: String?
  /// The app's version.
  public var appVersion: DecisionContext.AppVersion?
  /// The platform, spelled as the document spells it.
  public var platform: String?
  /// The language and region of the app's texts, spelled as the document spells it, such as `ja-JP`.
  public var locale: String?
  /// The country or region, spelled as the document spells it, such as `JP`.
  public var country: String?
  /// Anything else that rules may ask for, such as `tier`.
  public var attributes: [String: String]

  /// Creates a context.
  public init(
    unitID: String? = nil, appVersion: DecisionContext.AppVersion? = nil, platform: String? = nil,
    locale: String? = nil, country: String? = nil, attributes: [String: String] = [:]
  ) {
    self.unitID = unitID
    self.appVersion = appVersion
    self.platform = platform
    self.locale = locale
    self.country = country
    self.attributes = attributes
  }

  /// Whether the same is known, texts being equal if their UTF-8 bytes are.
  public static func == (left: DecisionContext, right: DecisionContext) -> Bool {
    ContextProperty.allCases.allSatisfy { left[$0].map(ExactText.init) == right[$0].map(ExactText.init) }
      && left.attributes.mapValues(ExactText.init).hasExactly(right.attributes.mapValues(ExactText.init))
  }
}
