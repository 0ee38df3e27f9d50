import DualSendTracking

/// An event with a type of its own.
struct LikeTapped {
  let itemID: Int

  func send(to tracker: Tracker) {
    tracker.sendLog(name: "item.like.tap", payload: ["item_id": itemID, "is_liked": true])
  }
}
