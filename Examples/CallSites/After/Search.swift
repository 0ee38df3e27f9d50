import DualSendTracking

public struct SearchScreen {
  let logger: any EventLogging

  public init(logger: any EventLogging) { self.logger = logger }

  public func search(_ words: String) {
    logger.log("search", parameters: ["length": words.count])
  }
}
