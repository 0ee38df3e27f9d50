/// How much a proof may still do. Rules can be written whose cases grow exponentially; those are refused, not waited for.
public struct ProofBudget {
  /// A document was too large to be proved.
  public struct Exhausted: Error {}

  private var remaining: Int

  /// - Parameter cases: how many cases may be looked at; a million take about a second.
  public init(cases: Int = 1_000_000) {
    remaining = cases
  }

  /// Spends what it takes to compile a document at one of its times, which is cheap beside a case, but not for nothing
  /// where a schedule has thousands of steps.
  public mutating func spend(compiling side: DatedRollout) throws(Exhausted) {
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
