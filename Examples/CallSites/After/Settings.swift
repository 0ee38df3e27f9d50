import DualSendTracking

/// A property whose changes are logged.
public final class Settings {
  public enum Theme: String, Sendable { case light, dark }

  @Tracked public var theme: Theme

  public init(logger: any EventLogging) {
    _theme = Tracked(wrappedValue: .light, "settings.theme.changed", with: logger)
  }
}
