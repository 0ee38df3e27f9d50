/// The shop.
final class Shop {
  private let tracker: Tracker
  init(tracker: Tracker = .main) { self.tracker = tracker }

  func browse() {
    tracker.track(.Browse.home)
    tracker.track(.Browse.category("chairs", position: 2))
    tracker.track(.Browse.product(Product(id: 7, title: "stool"), from: .shelf))
    tracker.track(.Browse.back)
  }

  func scroll(_ depth: Event.Browse.Depth) {
    tracker.track(.Browse.scrolled(depth))
  }

  func fill(_ count: Int) {
    tracker.track(.Cart.added(count: count))
    tracker.track(.Cart.opened)
    tracker.track(.Cart.removed("stool"))
    tracker.track(Event.Cart.removed("lamp", undo: true))
    tracker.track(.Cart.emptied)
  }

  func pay(_ amount: Double, by method: Event.Cart.Method?, coupon: String?, note: String?) {
    tracker.track(.Cart.coupon(coupon))
    let event = Event.Cart.paid(amount, by: method, note: note)
    tracker.track(event)
    tracker.track(.Cart.paid(amount, by: .card))
  }
}
