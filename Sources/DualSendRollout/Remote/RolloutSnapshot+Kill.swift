extension RolloutSnapshot {
  /// Whether this rollout, put in the other's place, evicts somebody from the new tracker, or from a named sink of its
  /// side, or leaves somebody who had a sink without one.
  ///
  /// These are what people switch off in an emergency, and what `dualsend plan` objects to. Worked out exactly from both
  /// documents; where the rules tell too many cases apart for that, or a stored document cannot be read, the answer is
  /// yes, because to wait could do harm and not to wait cannot.
  func isKill(of other: RolloutSnapshot) -> Bool {
    guard isReadable, other.isReadable else { return true }
    let salt = document?.salt ?? other.document?.salt ?? "none"
    let check = KillCheck(from: other.dated(salt: salt), to: dated(salt: salt))
    do { return try check.findsHarm() } catch { return true }
  }

  private var isReadable: Bool { compiled == nil || document != nil }

  /// This snapshot as proofs look at it; for plain booleans, a document that decides as they do.
  private func dated(salt: String) -> DatedRollout {
    if let document, let compiled { return DatedRollout(document, at: time, compiled) }
    let outcome = decision(for: "", context: DecisionContext()).outcome
    func flag(_ isOn: Bool) -> RolloutFlag { .percentage(isOn ? .all : .none) }
    let document = RolloutDocument(
      revision: 0, salt: salt, shouldSendLogToOldLogger: flag(outcome.includesOldLogger),
      shouldSendLogToNewTracker: flag(outcome.includesNewTracker), allowNeither: true, missingUnit: .old, rules: [],
      offsets: RolloutOffsets(start: 0, oldLogger: nil, newTracker: nil))
    return DatedRollout(document, at: time)
  }
}
