/// What is seen.
enum Screen: String {
  case home, cart

  var event: Plain { Plain(name: "screen_" + rawValue, values: ["full": self == .home]) }
}

/// Something is bought.
struct Purchase: TrackedEvent {
  let item: String
  var coupon: String?

  var name: String { "purchase" }
  var values: [String: Any] {
    var values: [String: Any] = ["item": item]
    if let coupon { values["coupon"] = coupon }
    return values
  }
}
