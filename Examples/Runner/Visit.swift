import ShopModel

/// A customer's visit, the same in every stage.
enum Visit {
  static let eventCount = 9

  static func make(in shop: some ShopScreens) {
    var basket = Basket()
    shop.showHome()
    for (position, item) in Catalogue.items.enumerated() { shop.show(item, at: position) }
    if let item = Catalogue.items.first { shop.like(item) }
    shop.add(Catalogue.items, to: &basket)
    shop.checkOut(basket, coupon: "TEATIME")
  }
}
