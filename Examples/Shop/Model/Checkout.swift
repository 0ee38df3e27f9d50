/// What a customer has bought.
public struct Order: Sendable, Hashable {
  public let basket: Basket
  public let cents: Int
}

/// Makes an order of a basket.
public enum Checkout {
  /// A coupon that the shop honours takes a tenth off; no other does anything.
  public static func order(_ basket: Basket, coupon: String?) -> Order {
    let cents = coupon == "TEATIME" ? basket.cents * 9 / 10 : basket.cents
    return Order(basket: basket, cents: cents)
  }
}
