/// An event type with a name and parameters.
///
/// During a migration these are the old names; afterwards the new ones.
public protocol TypedEvent: Sendable {
  /// The event's name.
  var name: String { get }
  /// The event's parameters. Read on the caller's thread; converted off it.
  var parameters: [String: any Sendable] { get }
}

/// An event that also has its new form, so that it needs no remapping table.
public protocol DualTypedEvent: TypedEvent {
  /// The new name.
  var newName: String { get }
  /// The new parameters.
  var newParameters: [String: any Sendable] { get }
}
