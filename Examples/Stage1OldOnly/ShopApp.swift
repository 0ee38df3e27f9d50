import ShopLogging
import ShopModel
import ShopScreens

/// The shop with its old logger.
public struct ShopApp {
  public let screens: Screens

  public init(_ settings: ShopSettings) throws {
    let logger = try JSONLinesLogger(appendingTo: settings.oldLog)
    screens = Screens(logger: logger)
  }
}
