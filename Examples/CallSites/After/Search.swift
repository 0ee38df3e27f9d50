import DualSend

public struct SearchScreen {
  let logger: DualSendTracker

  public init(logger: DualSendTracker) { self.logger = logger }

  public func search(_ words: String) {
    logger.log([\.eventName: "search", \.parameters: ["length": words.count]])
  }
}
