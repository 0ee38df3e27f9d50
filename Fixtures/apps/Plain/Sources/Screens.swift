/// Raw values that only log calls name.
enum Tab: String {
  case home, search
}

final class HomeScreen {
  let logger: any OldLogger

  init(logger: any OldLogger) {
    self.logger = logger
  }

  func appear(id: Int) {
    logger.logEvents(name: "home_seen", parameters: [["id": id, "cold": true]])
  }

  func like(_ isLiked: Bool, id: Int) {
    logger.logEvents(name: isLiked ? "liked" : "unliked", parameters: [["id": id]])
  }

  func buy(_ ids: [Int], coupon: String?) {
    let order: [String: Any] = ["count": ids.count, "first": ids[0]]
    logger.logEvents(name: "bought", parameters: [order])
    if let coupon {
      logger.logEvents(
        name: "coupon_used",  // counted by hand before
        parameters: [["code": coupon, "size": ids.count]])
    }
  }

  func select() {
    logger.logEvents(name: Tab.home.rawValue, parameters: [["tapped": true]])
    logger.logEvents(name: Tab.search.rawValue, parameters: [["tapped": false]])
  }

  func scroll() {
    log("scrolled", ["depth": 3])
    log("ended", [:])
  }

  private func log(_ name: String, _ values: [String: Any]) {
    logger.logEvents(name: name, parameters: [values])
  }
}
