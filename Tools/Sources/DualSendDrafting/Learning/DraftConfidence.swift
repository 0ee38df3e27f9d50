import DualSendStatistics

/// When the pairs that were seen are enough to write a row.
///
/// Two bounds, both Clopper and Pearson's at a risk of 5 %:
/// - the share of the event's pairs that contradict the row is at most 1 − confidence: at 0.95 it takes 59 pairs without a
///   contradiction, 93 with one;
/// - the same share among the pairs that can tell at all is at most a fifth: those in which the new key does not have its
///   most frequent value. It takes 14 without a contradiction. Two flags that are nearly always off agree in nearly all
///   pairs, and say nothing of each other.
package struct DraftConfidence: Sendable, Hashable {
  private static let tellingShare = 0.2
  private static let fewestAgreeing = 3
  private static let bound = BinomialBound(risk: 0.05)

  private let contradictions: Double

  /// - Parameter confidence: above 0 and below 1.
  package init(_ confidence: Double = 0.95) {
    contradictions = 1 - confidence
  }

  /// Whether so few contradictions among so many pairs are few enough.
  func accepts(contradicting: Int, of pairs: Int) -> Bool {
    Self.bound.isAtMost(contradictions, failures: contradicting, of: pairs)
  }

  /// Whether so few contradictions are few enough among the pairs that can tell.
  func accepts(contradicting: Int, telling: Int) -> Bool {
    Self.bound.isAtMost(Self.tellingShare, failures: contradicting, of: telling)
  }

  /// Whether the pairs that can tell speak against a claim, however few they are.
  func isUnlikely(contradicting: Int, telling: Int) -> Bool {
    Double(contradicting) > Self.tellingShare * Double(telling)
  }

  /// Whether the rare values of both keys go together too often for chance: then a constant with noise says too little.
  func agreesInMinority(_ evidence: Evidence) -> Bool {
    evidence.minorityAgreeing >= Self.fewestAgreeing
      && !isUnlikely(
        contradicting: evidence.minorityContradicting,
        telling: evidence.minorityAgreeing + evidence.minorityContradicting)
  }

  /// The most contradictions that so many pairs allow; `nil` if they are too few to allow any row.
  func mostContradictions(of pairs: Int) -> Int? {
    guard accepts(contradicting: 0, of: pairs) else { return nil }
    var (low, high) = (0, pairs)
    while high - low > 1 {
      let middle = (low + high) / 2
      if accepts(contradicting: middle, of: pairs) { low = middle } else { high = middle }
    }
    return low
  }

  /// Whether a claim that held up in learning is contradicted by other pairs more often than it may be.
  func isRefuted(contradicting: Int, of pairs: Int) -> Bool {
    Double(contradicting) > contradictions * Double(pairs)
  }
}
