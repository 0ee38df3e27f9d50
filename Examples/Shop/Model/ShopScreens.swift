/// The actions of a customer.
public protocol ShopScreens {
  func showHome()
  func show(_ item: Item, at position: Int)
  func like(_ item: Item)
  func add(_ items: [Item], to basket: inout Basket)
  func checkOut(_ basket: Basket, coupon: String?)
}
