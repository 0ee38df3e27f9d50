import DualSendCore
import DualSendRemapping

/// One way in which an old key may have become a new one, held against every pair.
struct Explanation {
  /// How much a rule can imitate; the plainer one is believed first.
  enum Kind: Int {
    case same, converted, table
  }

  /// What a pair says.
  enum Verdict {
    case right, wrong
    /// Neither side has anything there.
    case silent
  }

  let source: KeyPathPattern
  let kind: Kind
  /// What the row does to the value; `nil` for a plain rename.
  let rule: ValueRule?
  let verdicts: [Verdict]
  let evidence: Evidence

  /// - Parameter commonest: what most pairs have at the target.
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

  /// Whether no pair that tells the two apart, or hardly one, speaks for the other.
  func isClearlyBetter(than other: Explanation, _ confidence: DraftConfidence) -> Bool {
    var (mine, others) = (0, 0)
    for (left, right) in zip(verdicts, other.verdicts) where (left == .wrong) != (right == .wrong) {
      if right == .wrong { mine += 1 } else { others += 1 }
    }
    return confidence.accepts(contradicting: others, telling: mine + others)
  }
}
