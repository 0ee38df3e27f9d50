/// A set of contexts that no rule can tell apart for one list of rules: each flag is decided at the same place.
public struct ContextCell {
  /// Which units the cell is about.
  public enum Units {
    /// Every unit that no rule names, so every bucket; and events without a unit.
    case everyone
    /// Units that rules name; each has its own bucket.
    case named([String])
  }

  /// The rules that decide, each with the flags it decides; flags that no rule decides are left to the top level.
  public let deciding: [(rule: Int, flags: FlagSet)]
  /// Which units the cell is about.
  public let units: Units
  /// One context of the cell, without a unit.
  public let example: DecisionContext
}
