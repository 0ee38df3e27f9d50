import DualSendCore
import DualSendRemapping

/// A hypothesis of how an old key became a new one, tested against every pair.
struct Explanation {
  /// The kinds of rules, simplest first.
  enum Kind: Int {
    case same, converted, table
  }

  /// The result of a pair.
  enum Verdict {
    case right, wrong
    /// Neither side has a value.
    case silent
  }

  let source: KeyPathPattern
  let kind: Kind
  /// The rule for values; `nil` for a plain rename.
  let rule: ValueRule?
  let verdicts: [Verdict]
  let evidence: Evidence

  /// - Parameter commonest: the most frequent value of the target.
  init(
    source: KeyPathPattern, kind: Kind, rule: ValueRule?, verdicts: [Verdict], target: PlaceColumns.Column,
    commonest: PlaceColumns.Cell
  ) {
    (self.source, self.kind, self.rule, self.verdicts) = (source, kind, rule, verdicts)
    var evidence = Evidence()
    for (verdict, cell) in zip(verdicts, target.cells) {
      if verdict != .silent { evidence.pairs += 1 }
      if verdict == .wrong { evidence.contradicting += 1 }
      if verdict == .wrong || cell != commonest { evidence.telling += 1 }
      if verdict == .right, cell != commonest { evidence.minorityAgreeing += 1 }
      if verdict == .wrong, cell == commonest { evidence.minorityContradicting += 1 }
    }
    self.evidence = evidence
  }

  /// Whether the pairs that distinguish the two clearly support this one.
  func isClearlyBetter(than other: Explanation, _ confidence: DraftConfidence) -> Bool {
    var (mine, others) = (0, 0)
    for (left, right) in zip(verdicts, other.verdicts) where (left == .wrong) != (right == .wrong) {
      if right == .wrong { mine += 1 } else { others += 1 }
    }
    return confidence.accepts(contradicting: others, telling: mine + others)
  }
}

/// The evidence for one claim.
package struct Evidence: Sendable, Hashable {
  /// Pairs with a value.
  package var pairs = 0
  /// Pairs that contradict the claim.
  package var contradicting = 0
  /// Telling pairs: those in which the new key does not have its most frequent value, and those that contradict.
  package var telling = 0

  /// Pairs in which the new key has a rare value, and the claim predicts it.
  package var minorityAgreeing = 0
  /// Pairs in which the new key has its most frequent value, and the claim predicts another.
  package var minorityContradicting = 0

  package var agreeing: Int { pairs - contradicting }

  /// The text for a comment in the table.
  var text: String { "\(pairs.counted("pair")), \(agreeing) agree, \(contradicting) contradict" }
}
