/// A screen came into view. Logged by `trackScreen`.
public struct ScreenView: TypedEvent, Hashable {
  /// `screen_view`, unless the app calls it otherwise.
  public let name: String
  /// What the app calls the screen.
  public let screen: String

  /// Creates the event.
  public init(_ screen: String, name: String = "screen_view") {
    self.screen = screen
    self.name = name
  }

  /// The screen, under `screen_name`.
  public var parameters: [String: any Sendable] { ["screen_name": screen] }
}
