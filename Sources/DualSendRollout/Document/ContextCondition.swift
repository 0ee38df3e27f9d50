import DualSendCore

/// A condition of a rule's `match` on one value of the context.
///
/// ``holds(for:)`` is the only definition of when a condition holds. Decisions, traces and examples of proofs call it.
public struct ContextCondition: Sendable, Equatable {
  /// The values that fulfil a condition.
  public enum Test: Sendable, Equatable {
    /// The app's version fulfils every comparison.
    case version(VersionCondition)
    /// The value is one of these texts, compared by their UTF-8 bytes.
    case anyOf([String])
  }

  /// The length from which a list is looked up by hash.
  private static let lookupLength = 16

  /// The value of the context that is tested.
  public let key: ContextKey
  /// The values that fulfil the condition. An unknown value does not.
  public let test: Test
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
