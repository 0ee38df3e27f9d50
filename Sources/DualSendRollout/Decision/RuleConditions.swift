import DualSendCore

/// What a rule asks for besides the event's name.
struct RuleConditions: Sendable {
  let appVersion: VersionCondition?
  let platforms: [String]?
  let attributes: [(key: String, values: [String])]
  let unitIDs: Set<ExactText>?

  /// Whether the rule matches every context.
  var isEmpty: Bool {
    appVersion == nil && platforms == nil && attributes.isEmpty && unitIDs == nil
  }

  func hold(for context: DecisionContext) -> Bool {
    if let platforms {
      guard platforms.contains(exactly: context.platform) else { return false }
    }
    if let appVersion {
      guard let version = context.appVersion, appVersion.holds(for: version) else { return false }
    }
    for (key, values) in attributes {
      guard values.contains(exactly: context.attributes.value(exactly: key)) else { return false }
    }
    if let unitIDs {
      guard let unitID = context.unitID, unitIDs.contains(ExactText(unitID)) else { return false }
    }
    return true
  }
}

extension RuleConditions {
  init(_ match: RolloutMatch) {
    self.init(
      appVersion: match.appVersion, platforms: match.platforms,
      attributes: match.attributes.sorted { String.byteOrder($0.key, $1.key) }.map { (key: $0.key, values: $0.value) },
      unitIDs: match.unitIDs.map { Set($0.map(ExactText.init)) })
  }
}

extension [String] {
  /// Whether a text is listed, byte by byte; what is not known never is.
  func contains(exactly text: String?) -> Bool {
    guard let text else { return false }
    return contains { $0.isExactly(text) }
  }
}
