package import DualSend

extension ParityComparer {
  /// Compares pairs that an app observed itself; see `ParitySampling`.
  ///
  /// Each old event goes through this comparer's table, which need not be the one that the app has: that is how a table is
  /// held against what an app does with another.
  package func compare(_ observations: some Sequence<ParitySampling.Pair>) -> ParityReport {
    var run = ParityRun(comparer: self, newForm: .wire)
    for observation in observations { run.count(observation) }
    return run.report
  }
}
