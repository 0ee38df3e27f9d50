/// Walks the axes for one list of rules, keeping the sets of rules that are still possible and one way to reach each.
struct CellSearch {
  /// A set of rules that are still possible, and the last step of the way there.
  struct State {
    var rules: RuleBits
    /// The position of the step in the trail; -1 at the start.
    var step: Int
  }

  private struct Step {
    let previous: Int
    let axis: Int
    let value: Int
  }

  /// By position in the list: the flags that the rule sets.
  private let flags: [FlagSet]
  private let allFlags: FlagSet
  /// By position in the list: the last axis that the rule asks about; -1 if it asks nothing.
  private let lastAxis: [Int]
  private var trail: [Step] = []

  init(flags: [FlagSet], lastAxis: [Int]) {
    self.flags = flags
    self.lastAxis = lastAxis
    allFlags = flags.reduce(into: []) { $0.formUnion($1) }
  }

  /// Where every walk starts: no value chosen.
  var start: State {
    let all = RuleBits(all: flags.count)
    var rules = RuleBits(none: flags.count)
    keep(all, all, after: -1, into: &rules)
    return State(rules: rules, step: -1)
  }

  /// What each state becomes for each group of an axis' values; equal outcomes are one, reached by the first way.
  mutating func advance(
    _ states: [State], along groups: [AxisProjection.Group], axis: Int, budget: inout ProofBudget
  ) throws(ProofBudget.Exhausted) -> [State] {
    try budget.spend(states.count * groups.count)
    var next: [State] = []
    var seen: Set<RuleBits> = []
    var rules = RuleBits(none: flags.count)
    for state in states {
      for group in groups {
        keep(state.rules, group.rules, after: axis, into: &rules)
        guard seen.insert(rules).inserted else { continue }
        trail.append(Step(previous: state.step, axis: axis, value: group.values[0]))
        next.append(State(rules: rules, step: trail.count - 1))
      }
    }
    return next
  }

  /// The positions that decide each flag once every axis is walked.
  func deciding(_ state: State) -> [(position: Int, flags: FlagSet)] {
    var open = allFlags
    var deciding: [(position: Int, flags: FlagSet)] = []
    state.rules.forEach { position in
      let decided = flags[position].intersection(open)
      if !decided.isEmpty { deciding.append((position, decided)) }
      open.subtract(decided)
      return !open.isEmpty
    }
    return deciding
  }

  /// The values on the way to a state, by axis.
  func values(_ state: State) -> [(axis: Int, value: Int)] {
    var values: [(axis: Int, value: Int)] = []
    var position = state.step
    while position >= 0 {
      values.append((trail[position].axis, trail[position].value))
      position = trail[position].previous
    }
    return values
  }

  /// The rules of both sets, without those that can decide nothing any more because a certain rule comes first.
  ///
  /// A rule is certain once every axis that it asks about is walked.
  private func keep(_ left: RuleBits, _ right: RuleBits, after axis: Int, into kept: inout RuleBits) {
    kept.removeAll()
    var open = allFlags
    left.forEach(in: right) { position in
      let decided = flags[position].intersection(open)
      if decided.isEmpty { return true }
      kept.insert(position)
      if lastAxis[position] <= axis { open.subtract(decided) }
      return !open.isEmpty
    }
  }
}
