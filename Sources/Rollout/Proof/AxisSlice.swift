/// An axis as seen by the rules of one list: its values grouped by which of those rules accept them.
struct AxisSlice {
  /// Values that the same rules of the list accept.
  struct Group {
    /// Positions in the list.
    let rules: RuleBits
    /// At least one.
    var values: [Int]
  }

  let axis: ContextAxis
  /// The rules that ask about the axis, as positions in the list.
  let asking: [Int]
  private(set) var groups: [Group] = []

  var isAsked: Bool { !asking.isEmpty }

  /// The slice with only one of its groups.
  func only(_ group: Group) -> AxisSlice {
    var slice = self
    slice.groups = [group]
    return slice
  }
}

extension ContextAxis {
  func sliced(to candidates: [Int]) -> AxisSlice {
    let asking = candidates.indices.filter { accepted[candidates[$0]] != nil }
    var slice = AxisSlice(axis: self, asking: asking)
    guard !asking.isEmpty else { return slice }
    var indifferent = RuleBits(all: candidates.count)
    for position in asking { indifferent.remove(position) }

    var rulesByValue: [Int: RuleBits] = [0: indifferent]
    if kind == .appVersion {
      for value in representatives(asking.map { candidates[$0] }) { rulesByValue[value] = indifferent }
    }
    for position in asking {
      switch accepted[candidates[position]] {
      case .range(let range):
        for value in rulesByValue.keys where range.contains(value) { rulesByValue[value]?.insert(position) }
      case .values(let values):
        for value in values { rulesByValue[value, default: indifferent].insert(position) }
      case nil: break
      }
    }
    slice.group(rulesByValue)
    return slice
  }

  /// One value of each stretch between the ends of these rules' ranges.
  private func representatives(_ rules: [Int]) -> Set<Int> {
    var values: Set<Int> = [first]
    for rule in rules {
      guard case .range(let range) = accepted[rule] else { continue }
      for end in [range.lowerBound, range.upperBound] where (first..<count).contains(end) { values.insert(end) }
    }
    return values
  }
}

extension AxisSlice {
  fileprivate mutating func group(_ rulesByValue: [Int: RuleBits]) {
    var positions: [RuleBits: Int] = [:]
    for (value, rules) in rulesByValue.sorted(by: { $0.key < $1.key }) {
      if let position = positions[rules] {
        groups[position].values.append(value)
      } else {
        positions[rules] = groups.count
        groups.append(Group(rules: rules, values: [value]))
      }
    }
  }
}
