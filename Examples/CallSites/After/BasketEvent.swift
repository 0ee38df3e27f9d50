import DualSendTracking

/// Events as an enum with names and parameters.
public enum BasketEvent: TypedEvent {
  case added(itemID: Int, count: Int)
  case emptied

  public var name: String {
    switch self {
    case .added: "basket.add"
    case .emptied: "basket.empty"
    }
  }

  public var parameters: [String: any Sendable] {
    switch self {
    case .added(let itemID, let count): ["item_id": itemID, "count": count]
    case .emptied: [:]
    }
  }
}

public struct BasketScreen {
  let logger: any EventLogging

  public init(logger: any EventLogging) { self.logger = logger }

  public func add(_ itemID: Int) {
    logger.log(BasketEvent.added(itemID: itemID, count: 1))
  }
}
