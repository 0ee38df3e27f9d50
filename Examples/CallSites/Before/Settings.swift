import ShopLogging

/// A property whose changes are logged by an observer.
public final class Settings {
  public enum Theme: String, Sendable { case light, dark }

  private let logger: any EventLogger

  public var theme = Theme.light {
    didSet {
      guard theme != oldValue else { return }
      logger.logEvents(
        name: "settings.theme.changed",
        parameters: [["old_value": oldValue.rawValue, "new_value": theme.rawValue]])
    }
  }

  public init(logger: any EventLogger) {
    self.logger = logger
  }
}
