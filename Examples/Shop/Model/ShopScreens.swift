/// What a customer can do in the shop.
public protocol ShopScreens {
  func showHome()
  func show(_ item: Item, at position: Int)
  func like(_ item: Item)
  func add(_ items: [Item], to basket: inout Basket)
  func checkOut(_ basket: Basket, coupon: String?)
}
