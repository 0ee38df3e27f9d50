import DualSendTracking
import ShopModel

/// The shop's screens, which log in several styles.
public struct Screens: ShopScreens {
  private let logger: any EventLogging

  public init(logger: any EventLogging) {
    self.logger = logger
  }

  public func showHome() {
    logger.log("home.screen.view", parameters: ["tab": "all"])
  }

  public func show(_ item: Item, at position: Int) {
    log(EventName.itemView, [ParameterName.itemID: item.id, "position": position])
  }

  public func like(_ item: Item) {
    logger.log(LikeTapped(itemID: item.id))
  }

  public func add(_ items: [Item], to basket: inout Basket) {
    for item in items {
      basket.add(item)
      logger.log("basket.item.add", parameters: ["item_id": item.id, "price": ["cents": item.cents]])
    }
  }

  public func checkOut(_ basket: Basket, coupon: String?) {
    let order = Checkout.order(basket, coupon: coupon)
    let items = order.basket.lines.map { ["item_id": $0.item.id, "quantity": $0.quantity] }
    var payload: [String: any Sendable] = ["items": items, "price": ["cents": order.cents]]
    if let coupon { payload["coupon_code"] = coupon }
    logger.log("order.complete", parameters: payload)
  }

  private func log(_ name: String, _ payload: [String: any Sendable]) {
    logger.log(name, parameters: payload)
  }
}

private enum EventName {
  static let itemView = "item.screen.view"
}

private enum ParameterName {
  static let itemID = "item_id"
}
