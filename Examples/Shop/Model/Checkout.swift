/// An order.
public struct Order: Sendable, Hashable {
  public let basket: Basket
  public let cents: Int
}

/// Turns a basket into an order.
public enum Checkout {
  /// A valid coupon reduces the price by a tenth; other coupons have no effect.
  public static func order(_ basket: Basket, coupon: String?) -> Order {
    let cents = coupon == "TEATIME" ? basket.cents * 9 / 10 : basket.cents
    return Order(basket: basket, cents: cents)
  }
}
