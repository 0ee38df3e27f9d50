public import DualSendCore

/// The origin of each value of a remapped event, and the destination of each value of the old one.
///
/// Contains paths and row names, never values. Both lists are sorted by path.
public struct RemappingTrace: Sendable, Equatable {
  /// The origin of a value of the new payload.
  public enum Origin: Sendable, Equatable {
    /// A row moved it from this path.
    case row(source: EventPath, ValueRule.Outcome)
    /// The row of this source wrote its default, because the old payload has no value there.
    case defaultValue(of: KeyPathPattern)
    /// `add` wrote it.
    case constant
    /// No row names it, so it was kept.
    case unmapped
  }

  /// The destination of a value of the old payload.
  public enum Destination: Sendable, Equatable {
    /// A row moved it to this path.
    case moved(to: EventPath, ValueRule.Outcome)
    /// A row dropped it.
    case dropped
    /// No row names it, so it was kept.
    case kept
    /// No row names it, and the table drops such values.
    case droppedUnmapped
    /// Another value replaced it at this path.
    case lost(at: EventPath)
  }

  /// One value of the new payload.
  public struct Output: Sendable, Equatable {
    /// The path.
    public let path: EventPath
    /// The origin.
    public let origin: Origin
  }

  /// One value of the old payload.
  public struct Input: Sendable, Equatable {
    /// The path.
    public let path: EventPath
    /// The destination.
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
