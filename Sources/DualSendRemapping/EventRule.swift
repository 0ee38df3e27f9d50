public import DualSendCore

/// One row of a remapping table: which value, and what becomes of it.
public struct RemappingRow: Sendable, Hashable {
  /// What becomes of the value.
  public enum Action: Sendable, Hashable {
    /// It is left out.
    case drop
    /// It is written to another place, through a rule if the row has one.
    case move(to: KeyPathPattern, ValueRule?)
  }

  /// Where the value stands in the old payload.
  public let source: KeyPathPattern
  /// What becomes of it.
  public let action: Action
}

/// Everything a remapping table says about one event, the rows of `*` merged in.
public struct EventRule: Sendable, Hashable {
  /// A value that every event of the rule gets.
  public struct Constant: Sendable, Hashable {
    /// Where it is written to.
    public let target: KeyPathPattern
    /// What is written.
    public let value: EventValue
  }

  /// What happens to values that no row names.
  public enum Unmapped: String, Sendable, Hashable, CaseIterable {
    /// They stay where they are.
    case keep
    /// They are left out.
    case drop
    /// They stay where they are, and ``RemappedEvent/unmapped`` lists their paths.
    case report
  }

  /// Which value stays when a row writes to a place where the payload has a value that no row names.
  public enum ClashPolicy: String, Sendable, Hashable, CaseIterable {
    /// The value that the row or `add` writes.
    case mapped
    /// The value that the payload has there.
    case payload
  }

  /// The new name; `nil` keeps the old one.
  public let name: String?
  /// The rows, in the order of the document, those of `*` after the event's own.
  public let rows: [RemappingRow]
  /// What `add` writes, in the order of the document, that of `*` after the event's own.
  public let constants: [Constant]
  /// What happens to values that no row names.
  public let unmapped: Unmapped
  /// Which value stays when two want one place.
  public let clashPolicy: ClashPolicy

  init(
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
