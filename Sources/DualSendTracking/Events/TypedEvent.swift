/// An event type with a name and parameters.
///
/// During a migration these are the old names, and the table remaps the event for the new side. Afterwards they are the new
/// ones; a name that a table still lists is remapped.
public protocol TypedEvent: Sendable {
  /// The event's name.
  var name: String { get }
  /// The event's parameters. Read on the caller's thread; converted off it.
  var parameters: [String: any Sendable] { get }
}
