/// Where people buy.
struct Shop {
  let analytics = Analytics.shared

  func open() {
    Analytics.track(.home)
    analytics.track(.cart)
  }

  func buy(_ item: String, coupon: String? = nil) {
    let purchase = Purchase(item: item, coupon: coupon)
    analytics.track(purchase)
    Analytics.track(Purchase(item: item))
  }

  func tap() {
    analytics.track("buy")
    analytics.track("sell", at: 2)
  }

  func leave(_ screen: Screen) {
    analytics.track(screen)
    let event: any TrackedEvent = Plain(name: "leave")
    analytics.track(event)
  }
}
