/// Limits the work of a proof. Documents whose cases grow exponentially exceed it and are refused.
public struct ProofBudget {
  /// The proof needs more work than the budget allows.
  public struct Exhausted: Error {}

  private var remaining: Int

  /// - Parameter cases: the highest number of cases; a million take about a second.
  public init(cases: Int = 1_000_000) {
    remaining = cases
  }

  /// Accounts for compiling a document at one time, which matters if a schedule has thousands of steps.
  public mutating func spend(compiling side: EvaluatedRollout) throws(Exhausted) {
    let indexes = [side.rollout.events] + side.rollout.sinks.map(\.events)
    let size = indexes.reduce(side.document.stepCount) { size, index in
      size + index.candidates.count + index.labels.count + index.nodes.count
    }
    try spend(size / 16)
  }

  mutating func spend(_ cases: Int) throws(Exhausted) {
    remaining -= cases
    if remaining < 0 { throw Exhausted() }
  }
}
