/// An event that knows its name and its parameters, as the old logger knows them.
public protocol TypedEvent: Sendable {
  /// The name that the old logger knows.
  var name: String { get }
  /// The parameters that the old logger knows. Built on the caller's thread; converted and remapped off it.
  var parameters: [String: any Sendable] { get }
}

/// An event that knows its new form too, so that no remapping table is asked.
public protocol DualTypedEvent: TypedEvent {
  /// The name that the new tracker knows.
  var newName: String { get }
  /// The parameters that the new tracker knows.
  var newParameters: [String: any Sendable] { get }
}
