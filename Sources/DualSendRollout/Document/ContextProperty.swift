import DualSendCore

/// A property of a context that a rule's `match` has a key of its own for.
///
/// Reading, deciding, tracing, storing and proving go through all cases. A new property needs a case here and a place in
/// ``DecisionContext``. `appVersion` is compared; every other property is one of a list of texts.
public enum ContextProperty: String, Sendable, Hashable, CaseIterable {
  /// The app's version.
  case appVersion
  /// The platform.
  case platform
  /// The language and region of the app's texts, such as `ja-JP`.
  case locale
  /// The country or region, such as `JP`.
  case country
  /// The unit, whose bucket also decides percentages; the key of its list is `unitIDs`.
  case unitID = "unitIDs"

  /// The properties that describe the app and its user, without the unit.
  public static let ofApp = allCases.filter { $0 != .unitID }

  /// The term that messages use.
  public var words: String {
    switch self {
    case .appVersion: "app version"
    case .platform: "platform"
    case .locale: "locale"
    case .country: "country"
    case .unitID: "unit ID"
    }
  }
}

/// The part of a context that a condition is about: a property, or the attribute with a key.
public enum ContextKey: Sendable, Hashable {
  /// A property.
  case property(ContextProperty)
  /// The attribute with this key.
  case attribute(String)

  /// The term that messages use.
  public var words: String {
    switch self {
    case .property(let property): property.words
    case .attribute(let key): "attribute \(key.printable())"
    }
  }

  /// The order of the format: the app's properties, attributes by the bytes of their keys, the unit.
  static func inFormatOrder(_ left: ContextKey, _ right: ContextKey) -> Bool {
    switch (left, right) {
    case (.attribute(let left), .attribute(let right)): String.byteOrder(left, right)
    case (.property(let left), .attribute): left != .unitID
    case (.attribute, .property(let right)): right == .unitID
    case (.property(let left), .property(let right)):
      (ContextProperty.allCases.first { $0 == left || $0 == right } == left) && left != right
    }
  }
}

extension DecisionContext {
  /// A property's value as a text; `nil` if it is unknown. A version that cannot be read becomes unknown.
  public subscript(property: ContextProperty) -> String? {
    get {
      switch property {
      case .appVersion: appVersion?.description
      case .platform: platform
      case .locale: locale
      case .country: country
      case .unitID: unitID
      }
    }
    set {
      switch property {
      case .appVersion: appVersion = newValue.flatMap { AppVersion($0) }
      case .platform: platform = newValue
      case .locale: locale = newValue
      case .country: country = newValue
      case .unitID: unitID = newValue
      }
    }
  }

  /// Takes a property as an app reports it: of a version such as `25.4-beta`, the numbers count.
  public mutating func report(_ text: String?, as property: ContextProperty) {
    self[property] = property == .appVersion ? text.flatMap(AppVersion.prefix)?.description : text
  }

  /// The value that a condition is about as a text; `nil` if it is unknown.
  public subscript(key: ContextKey) -> String? {
    get {
      switch key {
      case .property(let property): self[property]
      case .attribute(let key): attributes.value(exactly: key)
      }
    }
    set {
      switch key {
      case .property(let property): self[property] = newValue
      case .attribute(let key): attributes[key] = newValue
      }
    }
  }
}
