/// Cuts all contexts into the cells that a set of rules can tell apart. Exact: no context is left out, none is sampled.
///
/// Axis by axis it keeps the set of rules that are still possible, and one way to get there. Two ways that leave the
/// same rules are one from then on, and rules that come after a certain one for every flag are dropped, so the work
/// follows the number of different outcomes, not the product of the axes.
struct ContextPartition {
  private let axes: [ContextAxis]
  private let flags: [FlagSet]

  /// - Parameters:
  ///   - conditions: those of each rule.
  ///   - flags: the flags that each rule sets.
  init(_ conditions: [[ContextCondition]], flags: [FlagSet]) {
    axes = ContextAxis.axes(of: conditions)
    self.flags = flags
  }

  /// The cells of all contexts for events whose candidates are these rules, in order.
  func cells(of candidates: [Int], budget: inout ProofBudget) throws(ProofBudget.Exhausted) -> [ContextCell] {
    let slices = slices(for: candidates)
    var lastAxis = [Int](repeating: -1, count: candidates.count)
    for (axis, slice) in slices.enumerated() {
      for position in slice.asking { lastAxis[position] = axis }
    }
    var search = CellSearch(flags: candidates.map { flags[$0] }, lastAxis: lastAxis)
    var states = [search.start]
    for (axis, slice) in slices.enumerated() where slice.axis.key != .property(.unitID) {
      states = try search.advance(states, along: slice.groups, axis: axis, budget: &budget)
    }
    var cells: [ContextCell] = []
    func add(_ states: [CellSearch.State], _ units: ContextCell.Units) {
      for state in states {
        var example = DecisionContext()
        for (axis, value) in search.values(state) where slices[axis].axis.key != .property(.unitID) {
          slices[axis].axis.apply(value, to: &example)
        }
        let deciding = search.deciding(state).map { (rule: candidates[$0.position], flags: $0.flags) }
        cells.append(ContextCell(deciding: deciding, units: units, example: example))
      }
    }
    guard let units = slices.last, units.axis.key == .property(.unitID) else {
      add(states, .everyone)
      return cells
    }
    for group in units.groups {
      let reached = try search.advance(states, along: [group], axis: slices.count - 1, budget: &budget)
      let named = group.values.filter { $0 > 0 }.map { units.axis.name(of: $0) }
      if group.values.contains(0) { add(reached, .everyone) }
      if !named.isEmpty { add(reached, .named(named)) }
    }
    return cells
  }

  /// The axes that these rules ask about: those with few different values first, units last.
  private func slices(for candidates: [Int]) -> [AxisProjection] {
    let slices = axes.map { $0.sliced(to: candidates) }.filter { !$0.asking.isEmpty }
    let contexts = slices.filter { $0.axis.key != .property(.unitID) }.enumerated()
      .sorted { ($0.element.groups.count, $0.offset) < ($1.element.groups.count, $1.offset) }
    return contexts.map(\.element) + slices.filter { $0.axis.key == .property(.unitID) }
  }
}
