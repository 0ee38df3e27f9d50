public import DualSendCore

/// Where each value of a remapped event came from, and where each value of the old one went.
///
/// Holds places and row names, never values. Both lists are sorted by path.
public struct RemappingTrace: Sendable, Hashable {
  /// Where a value of the new payload came from.
  public enum Origin: Sendable, Hashable {
    /// A row moved it from this place.
    case row(source: EventPath, ValueRule.Outcome)
    /// The row of this source wrote its default, for the old payload has no such value.
    case defaultValue(of: KeyPathPattern)
    /// `add` wrote it.
    case constant
    /// No row names it; it stayed where it was.
    case unmapped
  }

  /// Where a value of the old payload went.
  public enum Destination: Sendable, Hashable {
    /// A row moved it to this place.
    case moved(to: EventPath, ValueRule.Outcome)
    /// A row drops it.
    case dropped
    /// No row names it; it stayed where it was.
    case kept
    /// No row names it, and the table drops such values.
    case droppedUnmapped
    /// Another value wanted the same place and won.
    case lost(at: EventPath)
  }

  /// One value of the new payload.
  public struct Output: Sendable, Hashable {
    /// Where it stands.
    public let path: EventPath
    /// Where it came from.
    public let origin: Origin
  }

  /// One value of the old payload.
  public struct Input: Sendable, Hashable {
    /// Where it stood.
    public let path: EventPath
    /// Where it went.
    public let destination: Destination
  }

  /// The old name.
  public let oldName: String
  /// The new name.
  public let newName: String
  /// The values of the new payload.
  public let outputs: [Output]
  /// The values of the old payload.
  public let inputs: [Input]
}
