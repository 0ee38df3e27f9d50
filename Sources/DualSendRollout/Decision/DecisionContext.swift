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
  public var description: String {
    var parts = ContextProperty.ofApp.compactMap { property in
      self[property].map { "\(property.words) \($0.printable())" }
    }
    parts += attributes.inOrder { String.byteOrder($0.key, $1.key) }.map {
      "\($0.key.printable()) \($0.value.printable())"
    }
    return parts.joined(separator: ", ")
  }
}

// MARK: - The app's version

extension DecisionContext {
  /// An app's version: numbers separated by dots. Missing parts count as 0.
  public struct AppVersion: Sendable, Hashable {
    /// The numbers without trailing zeros, so that `25.4` and `25.4.0` are equal.
    package let parts: [UInt64]

    /// Parses `25.4.10`; `nil` for any other form, such as `25.4-beta`.
    public init?(_ text: String) {
      var parts: [UInt64] = []
      for part in text.split(separator: ".", omittingEmptySubsequences: false) {
        guard !part.isEmpty, part.utf8.allSatisfy({ (48...57).contains($0) }), let number = UInt64(part) else {
          return nil
        }
        parts.append(number)
      }
      self.init(parts: parts)
    }

    /// Parses the longest prefix that is a version: `25.4` for `25.4-beta`.
    ///
    /// - Returns: `nil` if the text does not begin with a number.
    package static func prefix(of text: String) -> DecisionContext.AppVersion? {
      var parts: [UInt64] = []
      for part in text.split(separator: ".", omittingEmptySubsequences: false) {
        let digits = part.prefix { ("0"..."9").contains($0) }
        guard !digits.isEmpty, let number = UInt64(digits) else { break }
        parts.append(number)
        if digits.count < part.count { break }
      }
      return parts.isEmpty ? nil : DecisionContext.AppVersion(parts: parts)
    }

    /// Whether a text contains a number beyond `UInt64`.
    package static func isTooLarge(in text: String) -> Bool {
      let runs = text.utf8.split { !(48...57).contains($0) }
      return runs.contains { UInt64(String(decoding: $0, as: UTF8.self)) == nil }
    }

    /// Creates a version from its numbers.
    package init(parts: [UInt64]) {
      var parts = parts
      while parts.last == 0 { parts.removeLast() }
      self.parts = parts
    }
  }
}

extension DecisionContext.AppVersion: Comparable, CustomStringConvertible {
  /// Orders part by part, as numbers: 25.9 < 25.10 < 25.10.1.
  public static func < (left: DecisionContext.AppVersion, right: DecisionContext.AppVersion) -> Bool {
    left.parts.lexicographicallyPrecedes(right.parts)
  }

  /// The shortest form, without trailing zeros.
  public var description: String {
    parts.isEmpty ? "0" : parts.map(String.init).joined(separator: ".")
  }
}
