import DualSendTracking
import ShopModel

/// The shop's screens, which log in every style that the years have brought.
public struct Screens: ShopScreens {
  private let tracker: Tracker

  public init(tracker: Tracker) {
    self.tracker = tracker
  }

  public func showHome() {
    tracker.sendLog(name: "home.screen.view", payload: ["tab": "all"])
  }

  public func show(_ item: Item, at position: Int) {
    log(EventName.itemView, [ParameterName.itemID: item.id, "position": position])
  }

  public func like(_ item: Item) {
    LikeTapped(itemID: item.id).send(to: tracker)
  }

  public func add(_ items: [Item], to basket: inout Basket) {
    for item in items { basket.add(item) }
    tracker.sendLogs(name: "basket.item.add", payloads: items.map { ["item_id": $0.id, "price": ["cents": $0.cents]] })
  }

  public func checkOut(_ basket: Basket, coupon: String?) {
    let order = Checkout.order(basket, coupon: coupon)
    let items = order.basket.lines.map { ["item_id": $0.item.id, "quantity": $0.quantity] }
    var payload: [String: any Sendable] = ["items": items, "price": ["cents": order.cents]]
    if let coupon { payload["coupon_code"] = coupon }
    tracker.sendLog(name: "order.complete", payload: payload)
  }

  private func log(_ name: String, _ payload: [String: any Sendable]) {
    tracker.sendLog(name: name, payload: payload)
  }
}

private enum EventName {
  static let itemView = "item.screen.view"
}

private enum ParameterName {
  static let itemID = "item_id"
}
