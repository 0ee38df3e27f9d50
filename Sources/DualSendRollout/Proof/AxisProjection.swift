import DualSendCore

/// An axis restricted to the rules of one list: its values, grouped by the rules that accept them.
struct AxisProjection {
  /// Values that the same rules accept.
  struct Group {
    /// Positions in the list.
    let rules: BitSet
    /// At least one.
    var values: [Int]
  }

  let axis: ContextAxis
  /// The rules that test the axis, as positions in the list.
  let asking: [Int]
  private(set) var groups: [Group] = []

}

extension ContextAxis {
  func sliced(to candidates: [Int]) -> AxisProjection {
    let asking = candidates.indices.filter { accepted[candidates[$0]] != nil }
    var slice = AxisProjection(axis: self, asking: asking)
    guard !asking.isEmpty else { return slice }
    var indifferent = BitSet(all: candidates.count)
    for position in asking { indifferent.remove(position) }

    var values = [0]
    if isOrdered { values += representatives(asking.map { candidates[$0] }) }
    var rules = [BitSet](repeating: indifferent, count: values.count)
    var indices: [Int: Int] = [:]
    for position in asking {
      switch accepted[candidates[position]] {
      case .range(let range):
        for (index, value) in values.enumerated() where range.contains(value) { rules[index].insert(position) }
      case .values(let accepted):
        for value in accepted {
          let index = indices[value] ?? values.count
          if index == values.count {
            indices[value] = index
            values.append(value)
            rules.append(indifferent)
          }
          rules[index].insert(position)
        }
      case nil: break
      }
    }
    slice.group(values, rules)
    return slice
  }

  /// One value of each interval between the bounds of these rules' ranges.
  private func representatives(_ rules: [Int]) -> [Int] {
    var values = [first]
    for rule in rules {
      guard case .range(let range) = accepted[rule] else { continue }
      for end in [range.lowerBound, range.upperBound] where (first..<count).contains(end) { values.append(end) }
    }
    return values.distinctInOrder()
  }
}

extension AxisProjection {
  fileprivate mutating func group(_ values: [Int], _ rules: [BitSet]) {
    var positions: [BitSet: Int] = [:]
    for (value, rules) in zip(values, rules) {
      if let position = positions[rules] {
        groups[position].values.append(value)
      } else {
        positions[rules] = groups.count
        groups.append(Group(rules: rules, values: [value]))
      }
    }
  }
}
