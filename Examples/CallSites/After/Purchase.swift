import DualSendTracking

/// An event whose parameters are a value's properties.
public struct Purchase: Encodable, Sendable {
  let total: Double
  let items: [Int]

  public init(total: Double, items: [Int]) {
    self.total = total
    self.items = items
  }

  public func send(to logger: any EventLogging) {
    logger.log("purchase", encoding: self)
  }
}
