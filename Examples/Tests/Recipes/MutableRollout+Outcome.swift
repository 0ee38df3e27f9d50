import DualSend

extension MutableRollout {
  /// The decision for one installation.
  var outcome: SinkDecision.Outcome {
    snapshot.decision(for: "home.view", context: DecisionContext(unitID: "installation-1")).outcome
  }
}
