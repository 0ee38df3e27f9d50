/// A screen came into view. Logged by `logsScreen`.
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
