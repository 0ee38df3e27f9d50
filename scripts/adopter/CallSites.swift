// The call sites of the adopter that `scripts/check-adopter` makes: the same file in an app that migrates and in one that has
// no old logger.
import DualSendTracking

public struct LikeTapped: DualTypedEvent {
  public let itemID: Int

  public var name: String { "home.like_button.tap" }
  public var parameters: [String: any Sendable] { ["uid": itemID] }
  public var newName: String { "home.like.tap" }
  public var newParameters: [String: any Sendable] { ["user_id": itemID] }
}

public final class Settings {
  @Tracked public var theme: String

  public init(logger: any EventLogging) {
    _theme = Tracked(wrappedValue: "light", "theme.changed", with: logger)
  }
}

/// One visit, in every form of `log`.
public func visit(_ logger: any EventLogging) {
  logger.log(LikeTapped(itemID: 7))
  logger.log("search", ["length": 3])
  logger.log("coded", encoding: ["a": 1])
  logger.log([\.eventName: "fields", \.parameters: ["b": 2]])
  Settings(logger: logger).theme = "dark"
}

/// What a visit is called before a migration, and what it is called after one.
public let originalNames = ["home.like_button.tap", "search", "coded", "fields", "theme.changed"]
public let newNames = ["home.like.tap"] + originalNames.dropFirst()
