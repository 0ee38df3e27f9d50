/// A condition on the app's version: one or more comparisons that must all hold, such as `>=25.4.10 <26`.
public struct VersionCondition: Sendable, Equatable {
  /// A comparison operator.
  public enum Operator: String, Sendable, Hashable, CaseIterable {
    case atLeast = ">="
    case atMost = "<="
    case equal = "=="
    case above = ">"
    case below = "<"
  }

  /// One comparison.
  public struct Comparison: Sendable, Equatable {
    /// The operator.
    public let `operator`: Operator
    /// The right-hand side.
    public let version: DecisionContext.AppVersion
  }

  /// The comparisons; at least one.
  public let comparisons: [Comparison]

  /// Parses comparisons separated by spaces; `nil` for any other text.
  public init?(_ text: String) {
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
  public func holds(for version: DecisionContext.AppVersion) -> Bool {
    comparisons.allSatisfy { $0.holds(for: version) }
  }
}

extension VersionCondition.Comparison {
  /// Whether the comparison holds for a version.
  public func holds(for candidate: DecisionContext.AppVersion) -> Bool {
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
  public var description: String {
    comparisons.map { $0.operator.rawValue + $0.version.description }.joined(separator: " ")
  }
}
