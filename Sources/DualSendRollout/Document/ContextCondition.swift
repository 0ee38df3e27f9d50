import DualSendCore

/// A condition of a rule's `match` on one value of the context.
///
/// ``holds(for:)`` is the only definition of when a condition holds. Decisions, traces and examples of proofs call it.
package struct ContextCondition: Sendable, Equatable {
  /// The values that fulfil a condition.
  package enum Test: Sendable, Equatable {
    /// The app's version fulfils every comparison.
    case version(VersionCondition)
    /// The value is one of these texts, compared by their UTF-8 bytes.
    case anyOf([String])

    /// Compares texts by their UTF-8 bytes.
    package static func == (left: Test, right: Test) -> Bool {
      switch (left, right) {
      case (.version(let left), .version(let right)): left == right
      case (.anyOf(let left), .anyOf(let right)):
        left.count == right.count && zip(left, right).allSatisfy { $0.isExactly($1) }
      default: false
      }
    }
  }

  /// The length from which a list is looked up by hash.
  private static let lookupLength = 16

  /// The value of the context that is tested.
  package let key: ContextKey
  /// The values that fulfil the condition. An unknown value does not.
  package let test: Test
  private let lookup: Set<ExactText>?

  init(_ key: ContextKey, _ test: Test) {
    self.key = key
    self.test = test
    if case .anyOf(let texts) = test, texts.count >= Self.lookupLength {
      lookup = Set(texts.map(ExactText.init))
    } else {
      lookup = nil
    }
  }

  /// Whether the context fulfils the condition.
  package func holds(for context: DecisionContext) -> Bool {
    switch test {
    case .version(let condition):
      return context.appVersion.map(condition.holds(for:)) ?? false
    case .anyOf(let texts):
      guard let text = context[key] else { return false }
      return lookup?.contains(ExactText(text)) ?? texts.contains { $0.isExactly(text) }
    }
  }
}

extension [ContextCondition] {
  /// Whether the context fulfils every condition.
  func hold(for context: DecisionContext) -> Bool {
    allSatisfy { $0.holds(for: context) }
  }
}

/// A property of a context that has its own key in a rule's `match`.
///
/// Reading, decisions, traces and proofs iterate over all cases. A new property needs a case here and a property of
/// ``DecisionContext``. `appVersion` is compared; every other property is one of a list of texts.
package enum ContextProperty: String, Sendable, Hashable, CaseIterable {
  /// The app's version.
  case appVersion
  /// The platform.
  case platform
  /// The language and region of the app's texts, such as `ja-JP`.
  case locale
  /// The country or region, such as `JP`.
  case country
  /// The unit. Its key in `match` is `unitIDs`.
  case unitID = "unitIDs"

  /// All properties except the unit.
  package static let ofApp = allCases.filter { $0 != .unitID }

  /// The term that messages use.
  package var words: String {
    switch self {
    case .appVersion: "app version"
    case .platform: "platform"
    case .locale: "locale"
    case .country: "country"
    case .unitID: "unit ID"
    }
  }
}

/// The value of a context that a condition tests: a property or an attribute.
package enum ContextKey: Sendable, Hashable {
  /// A property.
  case property(ContextProperty)
  /// The attribute with this key.
  case attribute(String)

  /// Compares keys of attributes by their UTF-8 bytes.
  package static func == (left: ContextKey, right: ContextKey) -> Bool {
    switch (left, right) {
    case (.property(let left), .property(let right)): left == right
    case (.attribute(let left), .attribute(let right)): left.isExactly(right)
    default: false
    }
  }

  /// The term that messages use.
  package var words: String {
    switch self {
    case .property(let property): property.words
    case .attribute(let key): "attribute \(key.printable())"
    }
  }

  /// Orders as the format does: the app's properties, attributes by the bytes of their keys, the unit.
  package static func inFormatOrder(_ left: ContextKey, _ right: ContextKey) -> Bool {
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
  /// A property's value as text; `nil` if it is unknown. Setting an invalid version makes it unknown.
  package subscript(property: ContextProperty) -> String? {
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

  /// Sets a property as an app reports it. Of a version such as `25.4-beta`, only the numbers are used.
  package mutating func report(_ text: String?, as property: ContextProperty) {
    self[property] = property == .appVersion ? text.flatMap(AppVersion.prefix)?.description : text
  }

  /// The value of a property or attribute as text; `nil` if it is unknown.
  package subscript(key: ContextKey) -> String? {
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

// MARK: - Version condition

/// A condition on the app's version: one or more comparisons that must all hold, such as `>=25.4.10 <26`.
package struct VersionCondition: Sendable, Equatable {
  /// A comparison operator.
  package enum Operator: String, Sendable, Hashable, CaseIterable {
    case atLeast = ">="
    case atMost = "<="
    case equal = "=="
    case above = ">"
    case below = "<"
  }

  /// One comparison.
  package struct Comparison: Sendable, Equatable {
    /// The operator.
    package let `operator`: Operator
    /// The right-hand side.
    package let version: DecisionContext.AppVersion
  }

  /// The comparisons; at least one.
  package let comparisons: [Comparison]

  /// Parses comparisons separated by spaces; `nil` for any other text.
  package init?(_ text: String) {
    var comparisons: [Comparison] = []
    var rest = text[...].drop { $0 == " " }
    while !rest.isEmpty {
      guard let sign = Operator.allCases.first(where: { rest.hasPrefix($0.rawValue) }) else { return nil }
      rest = rest.dropFirst(sign.rawValue.count).drop { $0 == " " }
      let word = rest.prefix { $0 != " " }
      guard let version = DecisionContext.AppVersion(String(word)) else { return nil }
      comparisons.append(Comparison(operator: sign, version: version))
      rest = rest.dropFirst(word.count).drop { $0 == " " }
    }
    guard !comparisons.isEmpty else { return nil }
    self.comparisons = comparisons
  }

  /// Whether every comparison holds for a version.
  package func holds(for version: DecisionContext.AppVersion) -> Bool {
    comparisons.allSatisfy { $0.holds(for: version) }
  }
}

extension VersionCondition.Comparison {
  /// Whether the comparison holds for a version.
  package func holds(for candidate: DecisionContext.AppVersion) -> Bool {
    switch self.operator {
    case .atLeast: candidate >= version
    case .atMost: candidate <= version
    case .equal: candidate == version
    case .above: candidate > version
    case .below: candidate < version
    }
  }
}

extension VersionCondition: CustomStringConvertible {
  /// The condition as in a document.
  package var description: String {
    comparisons.map { $0.operator.rawValue + $0.version.description }.joined(separator: " ")
  }
}
