import ShopLogging

/// Events as an enum, sent by a helper.
public enum BasketEvent: Sendable {
  case added(itemID: Int, count: Int)
  case emptied

  public func send(to logger: any EventLogger) {
    switch self {
    case .added(let itemID, let count):
      logger.logEvents(name: "basket.add", parameters: [["item_id": itemID, "count": count]])
    case .emptied:
      logger.logEvents(name: "basket.empty", parameters: [[:]])
    }
  }
}

public struct BasketScreen {
  let logger: any EventLogger

  public init(logger: any EventLogger) { self.logger = logger }

  public func add(_ itemID: Int) {
    BasketEvent.added(itemID: itemID, count: 1).send(to: logger)
  }
}
