extension QuantityText {
  /// What the digits and separators can mean.
  enum Number: Equatable {
    /// One thing only.
    case certain(Double, decimal: UnicodeScalar?, grouping: UnicodeScalar?)
    /// `1,234`: by the text alone, the separator may group digits or stand before a fraction.
    case ambiguous(UnicodeScalar, grouped: Double, fraction: Double)
    /// Nothing that a locale writes.
    case unreadable
  }

  var number: Number {
    guard let last = separators.last else { return certain(wholeGroups: groups.count) }
    let others = separators.dropLast()
    if others.contains(where: { $0 != last }) {
      // `1.234,5`: the last one, if it stands there once, begins the fraction.
      guard !others.contains(last), Set(others).count == 1, Self.kind(last) != .grouping,
        others.allSatisfy({ Self.kind($0) != .decimal })
      else { return .unreadable }
      return certain(wholeGroups: groups.count - 1, decimal: last, grouping: others.first)
    }
    switch Self.kind(last) {
    case .grouping: return certain(wholeGroups: groups.count, grouping: last)
    case .decimal: return others.isEmpty ? certain(wholeGroups: 1, decimal: last) : .unreadable
    default: break
    }
    if !others.isEmpty { return certain(wholeGroups: groups.count, grouping: last) }
    if groups[1].count != 3 || groups[0].count > 3 || groups[0].hasPrefix("0") {
      return certain(wholeGroups: 1, decimal: last)
    }
    guard let grouped = value(wholeGroups: 2), let fraction = value(wholeGroups: 1) else { return .unreadable }
    return .ambiguous(last, grouped: grouped, fraction: fraction)
  }

  private func certain(wholeGroups: Int, decimal: UnicodeScalar? = nil, grouping: UnicodeScalar? = nil) -> Number {
    guard isGrouped(groups[..<wholeGroups]), let value = value(wholeGroups: wholeGroups) else { return .unreadable }
    return .certain(value, decimal: decimal, grouping: grouping)
  }

  /// Whether groups are as locales write them: three digits at the end, two or three (India) between, up to three at
  /// the start.
  private func isGrouped(_ groups: ArraySlice<String>) -> Bool {
    guard groups.count > 1, let first = groups.first, let last = groups.last else { return true }
    return first.count <= 3 && last.count == 3 && groups.dropFirst().dropLast().allSatisfy { 2...3 ~= $0.count }
  }

  private func value(wholeGroups: Int) -> Double? {
    let fraction = groups.count > wholeGroups ? "." + groups[wholeGroups...].joined() : ""
    let magnitude = Double(groups[..<wholeGroups].joined() + fraction)
    return magnitude.flatMap { $0.isFinite ? (isNegative ? -$0 : $0) : nil }
  }
}
