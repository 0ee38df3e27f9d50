import DualSend

/// An event type of the old logger whose `send()` uses a fixed logger.
///
/// Its call sites add one call: `LikeTapped(itemID: 42, …).sendToNewTracker().send()`.
public struct LikeTapped: OldTypedEvent {
  public let itemID: Int
  public let oldLogger: any OldLogger
  public let dualSendTracker: DualSendTracker

  public init(itemID: Int, oldLogger: any OldLogger, dualSendTracker: DualSendTracker) {
    self.itemID = itemID
    self.oldLogger = oldLogger
    self.dualSendTracker = dualSendTracker
  }

  public var name: String { "item.like.tap" }
  public var parameters: [String: Any] { ["item_id": itemID, "liked": "1"] }

  public func send() {
    oldLogger.logEvents(name: name, parameters: parameters)
  }
}
