import DualSendCore

/// The properties of an app and its user that a decision depends on. A condition on an unknown property never holds.
public struct DecisionContext: Sendable, Hashable {
  /// The installation or user that has a bucket.
  public var unitID: String?
  /// The app's version.
  public var appVersion: DecisionContext.AppVersion?
  /// The platform, spelled as in the document.
  public var platform: String?
  /// The language and region of the app's texts, spelled as in the document, such as `ja-JP`.
  public var locale: String?
  /// The country or region, spelled as in the document, such as `JP`.
  public var country: String?
  /// Further values that rules may match, such as `tier`.
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

  /// Compares texts by their UTF-8 bytes.
  public static func == (left: DecisionContext, right: DecisionContext) -> Bool {
    ContextProperty.allCases.allSatisfy { left[$0].map(ExactText.init) == right[$0].map(ExactText.init) }
      && left.attributes.mapValues(ExactText.init).hasExactly(right.attributes.mapValues(ExactText.init))
  }
}

extension DecisionContext: CustomStringConvertible {
  /// The known properties and attributes, without the unit: `app version 25.4.10, platform iOS, country JP`.
  public var description: String { description(prefix: "") }

  /// - Parameter prefix: stands before a description that is not empty.
  func description(prefix: String) -> String {
    var parts = ContextProperty.ofApp.compactMap { property in
      self[property].map { "\(property.words) \($0.printable())" }
    }
    parts += attributes.inOrder { String.byteOrder($0.key, $1.key) }.map {
      "\($0.key.printable()) \($0.value.printable())"
    }
    return parts.isEmpty ? "" : prefix + parts.joined(separator: ", ")
  }
}
