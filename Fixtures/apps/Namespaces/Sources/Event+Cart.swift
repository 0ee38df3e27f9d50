extension Event {
  /// The shopping cart.
  enum Cart {
    static func added(count: Int) -> Event {
      Event("cart_added", ["count": count])
    }

    static func removed(_ item: String, undo: Bool = false) -> Event {
      return .init("cart_removed", ["item": item, "undo": undo])
    }

    static let opened = Event("cart_opened")
    static let emptied: Event = .init("cart_emptied", ["sure": true])

    static func coupon(_ code: String?) -> Event {
      guard let code else { return Event("cart_coupon_cleared") }
      return Event("cart_coupon", ["code": code])
    }

    static func paid(_ amount: Double, by method: Method?, note: String? = nil) -> Event {
      var properties: [String: Any] = ["amount": amount, "method": method?.rawValue ?? "none"]
      if let note { properties["note"] = note }
      return Event("cart_paid", properties)
    }

    enum Method: String { case card, cash }
  }
}
