import DualSendStatistics

/// Decides when the evidence is enough for a row.
///
/// Uses two Clopper–Pearson bounds with a risk of 5 %:
/// - At most 1 − confidence of the event's pairs contradict the row. At 0.95 this takes 59 pairs without a
///   contradiction, or 93 with one.
/// - At most a fifth of the telling pairs contradict it: those in which the new key does not have its most frequent
///   value. This takes 14 without a contradiction. Otherwise two flags that are nearly always off would seem related.
package struct DraftConfidence: Sendable, Hashable {
  private static let tellingShare = 0.2
  private static let fewestAgreeing = 3
  private static let bound = BinomialBound(risk: 0.05)

  private let contradictions: Double

  /// - Parameter confidence: between 0 and 1, exclusive.
  package init(_ confidence: Double = 0.95) {
    contradictions = 1 - confidence
  }

  /// Whether the contradictions are few enough among all pairs.
  func accepts(contradicting: Int, of pairs: Int) -> Bool {
    Self.bound.isAtMost(contradictions, failures: contradicting, of: pairs)
  }

  /// Whether the contradictions are few enough among the telling pairs.
  func accepts(contradicting: Int, telling: Int) -> Bool {
    Self.bound.isAtMost(Self.tellingShare, failures: contradicting, of: telling)
  }

  /// Whether the telling pairs, however few, are against a claim.
  func isUnlikely(contradicting: Int, telling: Int) -> Bool {
    Double(contradicting) > Self.tellingShare * Double(telling)
  }

  /// Whether the rare values of both keys occur together more often than by chance; then the target is not a constant
  /// with noise.
  func agreesInMinority(_ evidence: Evidence) -> Bool {
    evidence.minorityAgreeing >= Self.fewestAgreeing
      && !isUnlikely(
        contradicting: evidence.minorityContradicting,
        telling: evidence.minorityAgreeing + evidence.minorityContradicting)
  }

  /// The most contradictions allowed for this number of pairs; `nil` if there are too few pairs for any row.
  func mostContradictions(of pairs: Int) -> Int? {
    guard accepts(contradicting: 0, of: pairs) else { return nil }
    var (low, high) = (0, pairs)
    while high - low > 1 {
      let middle = (low + high) / 2
      if accepts(contradicting: middle, of: pairs) { low = middle } else { high = middle }
    }
    return low
  }

  /// Whether held-out pairs contradict a claim too often.
  func isRefuted(contradicting: Int, of pairs: Int) -> Bool {
    Double(contradicting) > contradictions * Double(pairs)
  }
}
