import DualSendCore

/// One thing that rules ask of a context, cut into the values that the rules can tell apart.
///
/// Value 0 stands for "not known, or none that a rule names"; the others are finite in number, and exact.
struct ContextAxis {
  enum Kind: Hashable {
    case appVersion
    case platform
    case attribute(String)
    case unit
  }

  /// Which values a rule accepts.
  enum Accepted {
    /// Neighbouring values, never 0.
    case range(Range<Int>)
    /// Single values, never 0.
    case values([Int])
  }

  let kind: Kind
  /// What each rule accepts; a rule that is not here asks nothing.
  let accepted: [Int: Accepted]
  /// How many values there are.
  let count: Int
  /// The lowest value above 0 that some context has.
  let first: Int
  private let names: [String]
  private let boundaries: [DecisionContext.AppVersion]

  /// All axes that the rules ask about; units come last.
  static func axes(of matches: [RolloutMatch]) -> [ContextAxis] {
    var axes: [ContextAxis] = []
    if matches.contains(where: { $0.appVersion != nil }) { axes.append(ContextAxis(versionsOf: matches)) }
    axes.append(ContextAxis(.platform, matches.map(\.platforms)))
    // Reading has seen to it that no two of them are equal to Unicode alone.
    for key in Set(matches.flatMap(\.attributes.keys)).sorted(by: String.byteOrder) {
      axes.append(ContextAxis(.attribute(key), matches.map { $0.attributes[key] }))
    }
    axes.append(ContextAxis(.unit, matches.map(\.unitIDs)))
    return axes.filter { !$0.accepted.isEmpty }
  }

  private init(_ kind: Kind, _ lists: [[String]?]) {
    var names: [String] = []
    var values: [ExactText: Int] = [:]
    var accepted: [Int: Accepted] = [:]
    for (rule, list) in lists.enumerated() {
      guard let list else { continue }
      accepted[rule] = .values(
        list.map { name in
          if let value = values[ExactText(name)] { return value }
          names.append(name)
          values[ExactText(name)] = names.count
          return names.count
        })
    }
    self.kind = kind
    self.accepted = accepted
    self.names = names
    boundaries = []
    count = names.count + 1
    first = 1
  }

  /// The values in order: below the first boundary, that boundary, between it and the next one, and so on.
  fileprivate init(versionsOf matches: [RolloutMatch]) {
    let boundaries = Set(matches.flatMap { $0.appVersion?.comparisons.map(\.version) ?? [] }).sorted()
    let positions = Dictionary(uniqueKeysWithValues: boundaries.enumerated().map { ($0.element, 2 * $0.offset + 2) })
    let count = 2 * boundaries.count + 2
    kind = .appVersion
    accepted = matches.enumerated().reduce(into: [:]) { accepted, match in
      guard let condition = match.element.appVersion else { return }
      var low = 1
      var high = count
      for comparison in condition.comparisons {
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
      accepted[match.offset] = .range(low..<max(low, high))
    }
    names = []
    self.boundaries = boundaries
    self.count = count
    // Nothing is below version 0.
    first = boundaries.first?.parts.isEmpty == true ? 2 : 1
  }

  /// Makes a context have a value.
  func apply(_ value: Int, to context: inout DecisionContext) {
    guard value > 0 else { return }
    switch kind {
    case .appVersion: context.appVersion = version(at: value)
    case .platform: context.platform = names[value - 1]
    case .attribute(let key): context.attributes[key] = names[value - 1]
    case .unit: context.unitID = names[value - 1]
    }
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
  /// Whether some version fulfils what the rule asks of it.
  public var hasPossibleVersion: Bool {
    let axis = ContextAxis(versionsOf: [self])
    guard case .range(let range) = axis.accepted[0] else { return true }
    return range.overlaps(axis.first..<axis.count)
  }
}

extension DecisionContext.AppVersion {
  /// A short version strictly between two, of which the second is the higher and not 0.
  ///
  /// There always is one: 25.4 < 25.4.0.0.1 < 25.4.0.1.
  init(between below: DecisionContext.AppVersion?, and above: DecisionContext.AppVersion?) {
    guard let below else {
      self.init(parts: [])
      return
    }
    // One more in a part that both have in common would be above both. Skipping those keeps long versions cheap.
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
