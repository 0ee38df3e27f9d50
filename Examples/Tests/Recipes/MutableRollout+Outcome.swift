import DualSend

extension MutableRollout {
  /// What it decides for some installation.
  var outcome: SinkDecision.Outcome {
    snapshot.decision(for: "home.view", context: DecisionContext(unitID: "installation-1")).outcome
  }
}
