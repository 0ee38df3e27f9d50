import ShopLogging

/// A typed event.
struct LikeTapped {
  let itemID: Int

  func send(to logger: any EventLogger) {
    logger.logEvents(name: "item.like.tap", parameters: ["item_id": itemID, "liked": "1"])
  }
}
