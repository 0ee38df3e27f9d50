// The call sites of the adopter that `scripts/check adopter` makes: the same file in an app that migrates and in one that has
// no old logger.
import DualSendTracking

/// A typed event.
public struct LikeTapped: TypedEvent {
  /// The item.
  public let itemID: Int

  /// The name.
  public var name: String { "home.like_button.tap" }
  /// The parameters.
  public var parameters: [String: any Sendable] { ["uid": itemID] }
}

/// Settings whose changes are logged.
public final class Settings {
  /// The theme.
  @Tracked public var theme: String

  /// Logs to this.
  public init(logger: any EventLogging) {
    _theme = Tracked(wrappedValue: "light", "theme.changed", with: logger)
  }
}

/// One visit that uses every form of `log`.
public func visit(_ logger: any EventLogging) {
  logger.log(LikeTapped(itemID: 7))
  logger.log("search", parameters: ["length": 3])
  logger.log("coded", encoding: ["a": 1])
  Settings(logger: logger).theme = "dark"
}

/// The names of a visit's events.
public let originalNames = ["home.like_button.tap", "search", "coded", "theme.changed"]
