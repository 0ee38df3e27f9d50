/// An event type with a name and parameters.
///
/// During a migration these are the old names, and the table remaps the event for the new side; afterwards the new ones.
public protocol TypedEvent: Sendable {
  /// The event's name.
  var name: String { get }
  /// The event's parameters. Read on the caller's thread; converted off it.
  var parameters: [String: any Sendable] { get }
}

/// A screen came into view. Logged by `trackScreen`.
public struct ScreenView: TypedEvent, Hashable {
  /// The event's name, `screen_view` by default.
  public let name: String
  /// The name of the screen.
  public let screen: String

  /// Creates the event.
  public init(_ screen: String, name: String = "screen_view") {
    self.screen = screen
    self.name = name
  }

  /// The screen, under `screen_name`.
  public var parameters: [String: any Sendable] { ["screen_name": screen] }
}
