package import DualSendRollout

/// Divides all contexts into the cells that a set of rules distinguishes. Exact: every context is in a cell.
///
/// Builds a ``DecisionDiagram`` axis by axis. Paths that leave the same rules possible are merged, and rules that can no
/// longer decide are dropped, so the cost grows with the number of different outcomes, not with the product of the axes.
struct ContextPartition {
  private let axes: [ContextAxis]
  private let flags: [FlagSet]

  /// - Parameters:
  ///   - conditions: the conditions of each rule.
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
    var diagram = DecisionDiagram(flags: candidates.map { flags[$0] }, lastAxis: lastAxis)
    var states = [diagram.root]
    for (axis, slice) in slices.enumerated() where slice.axis.key != .property(.unitID) {
      states = try diagram.advance(states, along: slice.groups, axis: axis, budget: &budget)
    }
    var cells: [ContextCell] = []
    func add(_ states: [DecisionDiagram.State], _ units: ContextCell.Units) {
      for state in states {
        var example = DecisionContext()
        let path = diagram.path(state).filter { slices[$0.axis].axis.key != .property(.unitID) }
        for (axis, groups) in path {
          slices[axis].axis.apply(slices[axis].groups[groups[0]].values[0], to: &example)
        }
        let deciding = diagram.deciding(state).map { (rule: candidates[$0.position], flags: $0.flags) }
        cells.append(
          ContextCell(
            deciding: deciding, units: units, example: example, path: path.map { (slices[$0.axis], $0.groups) },
            wordsAreComplete: state.isOnlyPath))
      }
    }
    guard let units = slices.last, units.axis.key == .property(.unitID) else {
      add(states, .everyone)
      return cells
    }
    for group in units.groups {
      let reached = try diagram.advance(states, along: [group], axis: slices.count - 1, budget: &budget)
      let named = group.values.filter { $0 > 0 }.map { units.axis.name(of: $0) }
      if group.values.contains(0) { add(reached, .everyone) }
      if !named.isEmpty { add(reached, .named(named)) }
    }
    return cells
  }

  /// The axes that these rules test: those with the fewest groups first, units last.
  private func slices(for candidates: [Int]) -> [AxisProjection] {
    let slices = axes.map { $0.sliced(to: candidates) }.filter { !$0.asking.isEmpty }
    let contexts = slices.filter { $0.axis.key != .property(.unitID) }.enumerated()
      .sorted { ($0.element.groups.count, $0.offset) < ($1.element.groups.count, $1.offset) }
    return contexts.map(\.element) + slices.filter { $0.axis.key == .property(.unitID) }
  }
}

/// A set of contexts in which the same place decides each flag, for one list of rules.
package struct ContextCell: Sendable {
  /// The units of a cell.
  package enum Units: Sendable, Equatable {
    /// All units that no rule names, in every bucket, and events without a unit.
    case everyone
    /// Units that rules name; each has its own bucket.
    case named([String])
  }

  /// The rules that decide, each with its flags. The top level decides the other flags.
  package let deciding: [(rule: Int, flags: FlagSet)]
  /// The units of the cell.
  package let units: Units
  /// One context of the cell, without a unit.
  package let example: DecisionContext
  /// The values of the axes that lead to the cell, or to a part of it.
  fileprivate let path: [(axis: AxisProjection, groups: [Int])]
  /// Whether ``words`` describe every context of the cell.
  package let wordsAreComplete: Bool

  /// Contexts of the cell in words, such as `app version below 7.2, country JP or US`; "" for all.
  package var words: String {
    path.sorted { ContextKey.inFormatOrder($0.axis.axis.key, $1.axis.axis.key) }.map { $0.axis.words(of: $0.groups) }
      .joined(separator: ", ")
  }

  /// The example with a unit.
  package func example(unit id: String) -> DecisionContext {
    var context = example
    context.unitID = id
    return context
  }
}
