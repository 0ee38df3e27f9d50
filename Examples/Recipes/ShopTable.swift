import DualSend

/// The shop's remapping table in Swift, without a file in the bundle and without `try`.
///
/// Equal to `Documents/remapping.json`. A test compares the two, so that the tools read the table that the app contains.
public enum ShopTable {
  public static let table: RemappingTable = [
    "home.view": .init(name: "home.screen.view", parameters: ["debug": nil]),
    "item.view": .init(name: "item.screen.view", parameters: ["pos": .init(to: "position", type: .int)]),
    "item.like.tap": .init(parameters: ["liked": .init(to: "is_liked", values: ["1": true, "0": false])]),
    "basket.add": .init(name: "basket.item.add", parameters: ["cents": "price.cents", "sku": "item_id"]),
    "checkout.done": .init(
      name: "order.complete",
      parameters: [
        "coupon": "coupon_code",
        "lines[].qty": "items[].quantity",
        "lines[].sku": "items[].item_id",
        "total": "price.cents",
      ]),
  ]
}
