import ShopLogging
import ShopModel

/// The shop's screens, which log in several styles.
public struct Screens: ShopScreens {
  private let logger: any EventLogger

  public init(logger: any EventLogger) {
    self.logger = logger
  }

  public func showHome() {
    logger.logEvents(name: "home.view", parameters: [["tab": "all", "debug": "cold"]])
  }

  public func show(_ item: Item, at position: Int) {
    log(EventName.itemView, [ParameterName.itemID: item.id, "pos": String(position)])
  }

  public func like(_ item: Item) {
    LikeTapped(itemID: item.id).send(to: logger)
  }

  public func add(_ items: [Item], to basket: inout Basket) {
    for item in items { basket.add(item) }
    logger.logEvents(name: "basket.add", parameters: items.map { ["sku": $0.id, "cents": $0.cents] })
  }

  public func checkOut(_ basket: Basket, coupon: String?) {
    let order = Checkout.order(basket, coupon: coupon)
    let lines = order.basket.lines.map { ["sku": $0.item.id, "qty": $0.quantity] }
    var parameters: [String: Any] = ["lines": lines, "total": order.cents]
    if let coupon { parameters["coupon"] = coupon }
    logger.logEvents(name: "checkout.done", parameters: parameters)
  }

  private func log(_ name: String, _ parameters: [String: Any]) {
    logger.logEvents(name: name, parameters: parameters)
  }
}

private enum EventName {
  static let itemView = "item.view"
}

private enum ParameterName {
  static let itemID = "item_id"
}
