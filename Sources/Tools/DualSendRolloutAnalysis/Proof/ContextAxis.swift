import DualSendCore
import DualSendRollout

/// A property or attribute that rules test, divided into the finite number of values that the rules distinguish.
///
/// Value 0 is "unknown, or not named by any rule".
struct ContextAxis {
  /// The values that a rule accepts.
  enum Accepted {
    /// Adjacent values, never 0.
    case range(Range<Int>)
    /// Single values, never 0.
    case values([Int])
  }

  /// One rule's test of the axis.
  fileprivate typealias Asked = (rule: Int, test: ContextCondition.Test)

  let key: ContextKey
  /// The values that each rule accepts; rules that do not test the axis are absent.
  let accepted: [Int: Accepted]
  /// The number of values.
  let count: Int
  /// The lowest value above 0 that a context can have.
  let first: Int
  /// Whether the values are ordered, so that each rule accepts a range.
  let isOrdered: Bool
  private let names: [String]
  private let boundaries: [DecisionContext.AppVersion]

  /// All axes that the rules test. Units come last.
  static func axes(of conditions: [[ContextCondition]]) -> [ContextAxis] {
    var asked: [ContextKey: [Asked]] = [:]
    for (rule, conditions) in conditions.enumerated() {
      for condition in conditions { asked[condition.key, default: []].append((rule, condition.test)) }
    }
    // The reader refuses keys that are canonically equivalent but have different bytes.
    return asked.sorted { ContextKey.inFormatOrder($0.key, $1.key) }.map { ContextAxis($0.key, $0.value) }
  }

  fileprivate init(_ key: ContextKey, _ asked: [Asked]) {
    var versions: [(rule: Int, condition: VersionCondition)] = []
    var lists: [(rule: Int, texts: [String])] = []
    for (rule, test) in asked {
      switch test {
      case .version(let condition): versions.append((rule, condition))
      case .anyOf(let texts): lists.append((rule, texts))
      }
    }
    self = versions.isEmpty ? ContextAxis(key, lists: lists) : ContextAxis(key, versions: versions)
  }

  private init(_ key: ContextKey, lists: [(rule: Int, texts: [String])]) {
    var names: [String] = []
    var values: [ExactText: Int] = [:]
    var accepted: [Int: Accepted] = [:]
    for (rule, texts) in lists {
      accepted[rule] = .values(
        texts.map { name in
          if let value = values[ExactText(name)] { return value }
          names.append(name)
          values[ExactText(name)] = names.count
          return names.count
        })
    }
    self.key = key
    self.accepted = accepted
    self.names = names
    boundaries = []
    count = names.count + 1
    first = 1
    isOrdered = false
  }

  /// The values in order: below the first boundary, that boundary, between it and the next one, and so on.
  private init(_ key: ContextKey, versions: [(rule: Int, condition: VersionCondition)]) {
    let boundaries = Set(versions.flatMap { $0.condition.comparisons.map(\.version) }).sorted()
    let positions = Dictionary(uniqueKeysWithValues: boundaries.enumerated().map { ($0.element, 2 * $0.offset + 2) })
    let count = 2 * boundaries.count + 2
    self.key = key
    accepted = versions.reduce(into: [:]) { accepted, version in
      var low = 1
      var high = count
      for comparison in version.condition.comparisons {
        let position = positions[comparison.version] ?? 0
        switch comparison.operator {
        case .atLeast: low = max(low, position)
        case .above: low = max(low, position + 1)
        case .atMost: high = min(high, position + 1)
        case .below: high = min(high, position)
        case .equal:
          low = max(low, position)
          high = min(high, position + 1)
        }
      }
      accepted[version.rule] = .range(low..<max(low, high))
    }
    names = []
    self.boundaries = boundaries
    self.count = count
    // Nothing is below version 0.
    first = boundaries.first?.parts.isEmpty == true ? 2 : 1
    isOrdered = true
  }

  /// Sets a value in a context.
  func apply(_ value: Int, to context: inout DecisionContext) {
    guard value > 0 else { return }
    context[key] = isOrdered ? version(at: value).description : names[value - 1]
  }

  func name(of value: Int) -> String {
    names[value - 1]
  }

  private func version(at value: Int) -> DecisionContext.AppVersion {
    if value % 2 == 0 { return boundaries[value / 2 - 1] }
    let below = value > 1 ? boundaries[value / 2 - 1] : nil
    let above = value / 2 < boundaries.count ? boundaries[value / 2] : nil
    return DecisionContext.AppVersion(between: below, and: above)
  }
}

extension RolloutMatch {
  /// Whether any version fulfils the rule's condition.
  var hasPossibleVersion: Bool {
    guard let test = self[.property(.appVersion)] else { return true }
    let axis = ContextAxis(.property(.appVersion), [(rule: 0, test: test)])
    guard case .range(let range) = axis.accepted[0] else { return true }
    return range.overlaps(axis.first..<axis.count)
  }
}

extension DecisionContext.AppVersion {
  /// Creates a short version strictly between two. The second is higher and not 0.
  ///
  /// There always is one: 25.4 < 25.4.0.0.1 < 25.4.0.1.
  init(between below: DecisionContext.AppVersion?, and above: DecisionContext.AppVersion?) {
    guard let below else {
      self.init(parts: [])
      return
    }
    // Incrementing a common part would exceed both versions, so those parts are skipped.
    let common = zip(below.parts, above?.parts ?? []).prefix { $0 == $1 }.count
    for position in 0..<max(1, below.parts.count) where position >= common {
      let part = position < below.parts.count ? below.parts[position] : 0
      guard part < .max else { continue }
      let parts = below.parts.prefix(position) + [part + 1]
      let candidate = DecisionContext.AppVersion(parts: Array(parts))
      if candidate > below, above.map({ candidate < $0 }) ?? true {
        self = candidate
        return
      }
    }
    let length = max(below.parts.count, above?.parts.count ?? 0)
    self.init(parts: below.parts + [UInt64](repeating: 0, count: length - below.parts.count) + [1])
  }
}

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
    return Set(values).sorted()
  }
}

// MARK: - In words

extension AxisProjection {
  /// The values of some groups, such as `app version 7.2 to below 8`, `country JP or US` or `platform other than iOS`.
  func words(of chosen: [Int]) -> String {
    let values = chosen.flatMap { groups[$0].values }
    let others = groups.indices.filter { !chosen.contains($0) }.flatMap { groups[$0].values }.filter { $0 > 0 }
    let (named, isUnknown) = (values.filter { $0 > 0 }, values.contains(0))
    let key = axis.key.words
    guard axis.isOrdered else {
      let names = (isUnknown ? others : named).sorted().map { axis.name(of: $0).quotedUnlessPlain }
      return "\(key) \(isUnknown ? "other than " : "")\(names.joined(separator: isUnknown ? ", " : " or "))"
    }
    let ranges = axis.ranges(named, of: (named + others).sorted())
    return "\(key) \((ranges + (isUnknown ? ["unknown"] : [])).joined(separator: " or "))"
  }
}

extension String {
  /// The text itself if it is letters, digits, `-`, `_` and `.`; else in quotation marks.
  fileprivate var quotedUnlessPlain: String {
    let isPlain =
      !isEmpty
      && unicodeScalars.allSatisfy { $0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0) }
    return isPlain ? printable() : "\"\(printable())\""
  }
}

extension ContextAxis {
  /// Versions in words: those from each of `values` to the next one of `all`, both in order.
  fileprivate func ranges(_ values: [Int], of all: [Int]) -> [String] {
    let values = Set(values)
    var ranges: [String] = []
    var start: Int?
    for (index, value) in all.enumerated() where values.contains(value) {
      let begin = start ?? value
      let next = index + 1 < all.count ? all[index + 1] : nil
      start = next.map(values.contains) == true ? begin : nil
      if start == nil { ranges.append(range(from: begin, to: next)) }
    }
    return ranges
  }

  /// Even values are boundaries, odd ones are between them.
  private func range(from begin: Int, to end: Int?) -> String {
    let low = begin == first ? nil : boundaries[begin / 2 - 1].description.printable()
    let high = end.map { boundaries[$0 / 2 - 1].description.printable() }
    let (isAbove, isUpTo) = (begin % 2 == 1, end.map { $0 % 2 == 1 } ?? false)
    switch (low, high) {
    case (nil, nil): return "that is known"
    case (nil, let high?): return isUpTo ? "up to \(high)" : "below \(high)"
    case (let low?, nil): return isAbove ? "above \(low)" : "\(low) and above"
    case (let low?, let high?):
      if low == high { return low }
      return "\(isAbove ? "above " : "")\(low) to \(isUpTo ? "" : "below ")\(high)"
    }
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
