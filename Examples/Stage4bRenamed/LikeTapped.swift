import DualSendTracking

/// A typed event.
struct LikeTapped: TypedEvent {
  let itemID: Int

  var name: String { "item.like.tap" }
  var parameters: [String: any Sendable] { ["item_id": itemID, "is_liked": true] }
}
