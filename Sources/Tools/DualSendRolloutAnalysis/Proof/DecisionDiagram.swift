import DualSendRollout

/// A decision diagram over the axes for one list of rules: a layer for each axis, whose nodes are the sets of rules that are
/// still possible, each with one path to it.
struct DecisionDiagram {
  /// A node: a set of rules that are still possible, and the last step of one path to it.
  struct State {
    var rules: BitSet
    /// The position of the step in the trail; -1 at the root.
    var step: Int
    /// Whether only this path leads to it.
    var isOnlyPath = true
  }

  private struct Step {
    let previous: Int
    let axis: Int
    let groups: [Int]
  }

  /// The flags that each rule of the list sets, as numbers, which other modules combine without a call.
  private let flags: [FlagSet.RawValue]
  private let allFlags: FlagSet.RawValue
  /// The last axis that each rule of the list tests; -1 if it tests none.
  private let lastAxis: [Int]
  private var trail: [Step] = []
  /// So many rules take about the time that the budget counts for a case.
  private static let rulesOfOneCase = 512

  init(flags: [FlagSet], lastAxis: [Int]) {
    self.flags = flags.map(\.rawValue)
    self.lastAxis = lastAxis
    allFlags = self.flags.reduce(0, |)
  }

  /// The root: no value is chosen.
  var root: State {
    let all = BitSet(all: flags.count)
    var rules = BitSet(none: flags.count)
    keep(all, all, after: -1, into: &rules)
    return State(rules: rules, step: -1)
  }

  /// The next layer: each state for each group of an axis' values. Equal states are merged and keep the first path.
  mutating func advance(
    _ states: [State], along groups: [AxisProjection.Group], axis: Int, budget: inout ProofBudget
  ) throws(ProofBudget.Exhausted) -> [State] {
    try budget.spend(states.count * groups.count * (1 + flags.count / Self.rulesOfOneCase))
    var next: [State] = []
    var seen: [BitSet: Int] = [:]
    var rules = BitSet(none: flags.count)
    for state in states {
      // The groups that lead to each state of the next layer.
      var led: [(rules: BitSet, groups: [Int])] = []
      var places: [BitSet: Int] = [:]
      for (index, group) in groups.enumerated() {
        keep(state.rules, group.rules, after: axis, into: &rules)
        if let place = places[rules] {
          led[place].groups.append(index)
        } else {
          places[rules] = led.count
          led.append((rules, [index]))
        }
      }
      for (rules, leading) in led {
        if let known = seen[rules] {
          next[known].isOnlyPath = false
          continue
        }
        seen[rules] = next.count
        var step = state.step
        // An axis all of whose groups lead to one state does not matter.
        if led.count > 1 {
          trail.append(Step(previous: step, axis: axis, groups: leading))
          step = trail.count - 1
        }
        next.append(State(rules: rules, step: step, isOnlyPath: state.isOnlyPath))
      }
    }
    return next
  }

  /// The positions that decide each flag, in a state of the last layer.
  func deciding(_ state: State) -> [(position: Int, flags: FlagSet)] {
    var open = allFlags
    var deciding: [(position: Int, flags: FlagSet)] = []
    state.rules.forEach { position in
      let decided = flags[position] & open
      if decided != 0 { deciding.append((position, FlagSet(rawValue: decided))) }
      open &= ~decided
      return open != 0
    }
    return deciding
  }

  /// A path to a state: the groups of each axis' values, the last axis first, without the axes that do not matter.
  func path(_ state: State) -> [(axis: Int, groups: [Int])] {
    var path: [(axis: Int, groups: [Int])] = []
    var position = state.step
    while position >= 0 {
      path.append((trail[position].axis, trail[position].groups))
      position = trail[position].previous
    }
    return path
  }

  /// The intersection of both sets, without the rules that a certain rule before them keeps from deciding.
  ///
  /// A rule is certain after the last axis that it tests.
  private func keep(_ left: BitSet, _ right: BitSet, after axis: Int, into kept: inout BitSet) {
    kept.removeAll()
    var open = allFlags
    left.forEach(in: right) { position in
      let decided = flags[position] & open
      if decided == 0 { return true }
      kept.insert(position)
      if lastAxis[position] <= axis { open &= ~decided }
      return open != 0
    }
  }
}

/// A set of positions in a list of rules.
struct BitSet: Hashable {
  private var words: [UInt64]

  init(none count: Int) {
    words = [UInt64](repeating: 0, count: (count + 63) / 64)
  }

  init(all count: Int) {
    words = [UInt64](repeating: .max, count: (count + 63) / 64)
    if count % 64 > 0 { words[words.count - 1] = (1 << (count % 64)) - 1 }
  }

  mutating func insert(_ position: Int) {
    words[position / 64] |= 1 << (position % 64)
  }

  mutating func remove(_ position: Int) {
    words[position / 64] &= ~(1 << (position % 64))
  }

  mutating func removeAll() {
    for index in words.indices { words[index] = 0 }
  }

  /// Calls the body with every position, lowest first, until it returns `false`.
  func forEach(_ body: (Int) -> Bool) {
    forEach(in: self, body)
  }

  /// Calls the body with every position that is also in another set, lowest first, until it returns `false`.
  @inline(__always)
  func forEach(in other: BitSet, _ body: (Int) -> Bool) {
    for index in words.indices {
      var rest = words[index] & other.words[index]
      while rest != 0 {
        guard body(index * 64 + rest.trailingZeroBitCount) else { return }
        rest &= rest - 1
      }
    }
  }
}
