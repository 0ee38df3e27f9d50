/// An event that knows its name and its parameters.
///
/// While an app migrates these are what the old logger knows; afterwards they are what the new tracker knows.
public protocol TypedEvent: Sendable {
  /// The event's name.
  var name: String { get }
  /// The event's parameters. Built on the caller's thread; converted off it.
  var parameters: [String: any Sendable] { get }
}

/// An event that knows its new form too, so that no remapping table is asked.
public protocol DualTypedEvent: TypedEvent {
  /// The name that the new tracker knows.
  var newName: String { get }
  /// The parameters that the new tracker knows.
  var newParameters: [String: any Sendable] { get }
}
