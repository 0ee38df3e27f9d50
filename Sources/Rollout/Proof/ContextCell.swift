/// A set of contexts that no rule can tell apart for one list of rules: each flag is decided at the same place.
struct ContextCell {
  /// Which units the cell is about.
  enum Units {
    /// Every unit that no rule names, so every bucket; and events without a unit.
    case everyone
    /// Units that rules name; each has its own bucket.
    case named([String])
  }

  /// The rules that decide, each with the flags it decides; flags that no rule decides are left to the top level.
  let deciding: [(rule: Int, flags: FlagSet)]
  let units: Units
  /// One context of the cell, without a unit.
  let example: DecisionContext

  /// What decides a document's flags, where its flags start at a bit of the set and its rules at an index.
  func places(firstFlag: UInt8 = 0, firstRule: Int = 0) -> FlagPlaces {
    var places = FlagPlaces()
    for (rule, flags) in deciding {
      let flags = FlagSet(rawValue: flags.rawValue >> firstFlag)
      if flags.contains(.oldLogger) { places.oldLogger = .rule(rule - firstRule) }
      if flags.contains(.newTracker) { places.newTracker = .rule(rule - firstRule) }
    }
    return places
  }
}
