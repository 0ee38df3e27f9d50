/// A set of contexts in which the same place decides each flag, for one list of rules.
public struct ContextCell {
  /// The units of a cell.
  public enum Units {
    /// All units that no rule names, in every bucket, and events without a unit.
    case everyone
    /// Units that rules name; each has its own bucket.
    case named([String])
  }

  /// The rules that decide, each with its flags. The top level decides the other flags.
  public let deciding: [(rule: Int, flags: FlagSet)]
  /// The units of the cell.
  public let units: Units
  /// One context of the cell, without a unit.
  public let example: DecisionContext

  /// The example with a unit.
  public func example(unit id: String) -> DecisionContext {
    var context = example
    context.unitID = id
    return context
  }
}
