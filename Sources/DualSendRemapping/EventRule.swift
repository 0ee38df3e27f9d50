public import DualSendCore

/// A row of a remapping table: a source path and an action.
public struct RemappingRow: Sendable, Equatable {
  /// What a row does with its value.
  public enum Action: Sendable, Equatable {
    /// Drops the value.
    case drop
    /// Writes the value to another path, after an optional conversion.
    case move(to: KeyPathPattern, ValueRule?)
  }

  /// The path in the old payload.
  public let source: KeyPathPattern
  /// What the row does with the value.
  public let action: Action

  package init(source: KeyPathPattern, action: Action) {
    self.source = source
    self.action = action
  }
}

/// The rule of a remapping table for one event, including the rows of `*`.
public struct EventRule: Sendable, Equatable {
  /// A value that is added to every event.
  public struct Constant: Sendable, Equatable {
    /// The path of the value.
    public let target: KeyPathPattern
    /// The value.
    public let value: EventValue
  }

  /// The treatment of values that no row names.
  public enum Unmapped: String, Sendable, Hashable, CaseIterable {
    /// Keep them.
    case keep
    /// Drop them.
    case drop
    /// Keep them, and list their paths in ``RemappedEvent/unmapped``.
    case report
  }

  /// The value that wins a clash: a row writes to a path where the payload has a value that no row names.
  public enum ClashPolicy: String, Sendable, Hashable, CaseIterable {
    /// The value of the row or of `add`.
    case mapped
    /// The value of the payload.
    case payload
  }

  /// The new name; `nil` keeps the old one.
  public let name: String?
  /// The rows, in the order of the document, those of `*` after the event's own.
  public let rows: [RemappingRow]
  /// The constants of `add` and of that of `*`, sorted by target.
  public let constants: [Constant]
  /// The treatment of values that no row names.
  public let unmapped: Unmapped
  /// The value that wins a clash.
  public let clashPolicy: ClashPolicy

  package init(
    name: String? = nil, rows: [RemappingRow] = [], constants: [Constant] = [],
    unmapped: Unmapped = .keep, clashPolicy: ClashPolicy = .mapped
  ) {
    self.name = name
    self.rows = rows
    self.constants = constants
    self.unmapped = unmapped
    self.clashPolicy = clashPolicy
  }
}
