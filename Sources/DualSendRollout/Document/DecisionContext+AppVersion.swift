extension DecisionContext {
  /// An app's version: numbers separated by dots. Missing parts count as 0.
  public struct AppVersion: Sendable, Hashable {
    /// The numbers without trailing zeros, so that `25.4` and `25.4.0` are equal.
    let parts: [UInt64]

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
    public static func prefix(of text: String) -> DecisionContext.AppVersion? {
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
    public static func isTooLarge(in text: String) -> Bool {
      let runs = text.utf8.split { !(48...57).contains($0) }
      return runs.contains { UInt64(String(decoding: $0, as: UTF8.self)) == nil }
    }

    init(parts: [UInt64]) {
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
