import Foundation
import ShopLogging

/// An event whose parameters are a value's properties, encoded to JSON and parsed again.
public struct Purchase: Encodable, Sendable {
  let total: Double
  let items: [Int]

  public init(total: Double, items: [Int]) {
    self.total = total
    self.items = items
  }

  public func send(to logger: any EventLogger) throws {
    let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(self))
    logger.logEvents(name: "purchase", parameters: [object as? [String: Any] ?? [:]])
  }
}
