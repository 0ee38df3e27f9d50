/// Cuts all contexts into the cells that a set of rules can tell apart. Exact: no context is left out, none is sampled.
///
/// Axis by axis it keeps the set of rules that are still possible, and one way to get there. Two ways that leave the
/// same rules are one from then on, and rules that come after a certain one for every flag are dropped, so the work
/// follows the number of different outcomes, not the product of the axes.
struct ContextPartition {
  private let axes: [ContextAxis]
  private let flags: [FlagSet]
  private let allFlags: FlagSet

  /// - Parameter flags: the flags that each rule sets.
  init(_ matches: [RolloutMatch], flags: [FlagSet]) {
    axes = ContextAxis.axes(of: matches)
    self.flags = flags
    allFlags = flags.reduce(into: []) { $0.formUnion($1) }
  }

  /// A set of rules that are still possible and how it was reached.
  private struct State {
    var rules: RuleBits
    /// The values chosen so far, by axis.
    var values: [Int] = []
  }

  /// The cells of all contexts for events whose candidates are these rules, in order.
  func cells(of candidates: [Int], budget: inout ProofBudget) throws(ProofBudget.Exhausted) -> [ContextCell] {
    let axes = self.axes.map { $0.sliced(to: candidates) }.filter { $0.isAsked }
    var lastAxis = [Int](repeating: -1, count: candidates.count)
    for (position, axis) in axes.enumerated() {
      for rule in axis.asking { lastAxis[rule] = position }
    }
    var states = [State(rules: reduced(RuleBits(all: candidates.count), candidates, lastAxis, after: -1))]
    for (position, axis) in axes.enumerated() where axis.axis.kind != .unit {
      states = try step(states, along: axis, candidates, lastAxis, at: position, budget: &budget)
    }
    guard let units = axes.last, units.axis.kind == .unit else {
      return states.map { cell($0, .everyone, axes, candidates) }
    }
    var cells: [ContextCell] = []
    for group in units.groups {
      let named = group.values.filter { $0 > 0 }.map { units.axis.name(of: $0) }
      let reached = try step(
        states, along: units.only(group), candidates, lastAxis, at: axes.count - 1, budget: &budget)
      for state in reached {
        if group.values.contains(0) { cells.append(cell(state, .everyone, axes, candidates)) }
        if !named.isEmpty { cells.append(cell(state, .named(named), axes, candidates)) }
      }
    }
    return cells
  }

  private func step(
    _ states: [State], along axis: AxisSlice, _ candidates: [Int], _ lastAxis: [Int], at position: Int,
    budget: inout ProofBudget
  ) throws(ProofBudget.Exhausted) -> [State] {
    try budget.spend(states.count * axis.groups.count)
    var next: [State] = []
    var seen: Set<RuleBits> = []
    for state in states {
      for group in axis.groups {
        let rules = reduced(state.rules.intersection(group.rules), candidates, lastAxis, after: position)
        if seen.insert(rules).inserted {
          next.append(State(rules: rules, values: state.values + [group.values[0]]))
        }
      }
    }
    return next
  }

  /// The rules without those that can decide nothing any more, because a certain rule comes first for every flag.
  private func reduced(_ rules: RuleBits, _ candidates: [Int], _ lastAxis: [Int], after position: Int) -> RuleBits {
    var open = allFlags
    var kept = RuleBits(none: candidates.count)
    rules.forEach { rule in
      let flags = self.flags[candidates[rule]].intersection(open)
      if flags.isEmpty { return true }
      kept.insert(rule)
      if lastAxis[rule] <= position { open.subtract(flags) }
      return !open.isEmpty
    }
    return kept
  }

  private func cell(
    _ state: State, _ units: ContextCell.Units, _ axes: [AxisSlice], _ candidates: [Int]
  ) -> ContextCell {
    var open = allFlags
    var deciding: [(rule: Int, flags: FlagSet)] = []
    state.rules.forEach { rule in
      let flags = self.flags[candidates[rule]].intersection(open)
      if !flags.isEmpty { deciding.append((candidates[rule], flags)) }
      open.subtract(flags)
      return !open.isEmpty
    }
    var example = DecisionContext()
    for (axis, value) in zip(axes, state.values) where axis.axis.kind != .unit {
      axis.axis.apply(value, to: &example)
    }
    return ContextCell(deciding: deciding, units: units, example: example)
  }
}
