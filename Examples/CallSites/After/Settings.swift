import DualSend

/// A property whose changes are logged.
public final class Settings {
  public enum Theme: String, Sendable { case light, dark }

  @Tracked public var theme: Theme

  public init(logger: DualSendTracker) {
    _theme = Tracked(wrappedValue: .light, "settings.theme.changed", with: logger)
  }
}
