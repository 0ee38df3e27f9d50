import CustomDump
import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendTracking

@Suite("A value has one form", .timeLimit(.minutes(5)))
struct EncodedValueTests {
  private enum Color: String, Encodable, Sendable { case red }

  private struct Box<Value: Encodable & Sendable>: Encodable, Sendable {
    let value: Value
  }

  /// The value in a dictionary, and the same value encoded.
  private func forms<Value: Encodable & Sendable>(_ value: Value) throws -> (plain: EventValue?, encoded: EventValue?) {
    var converter = EventValueConverter()
    let plain = converter.convert(["value": value] as [String: any Sendable])["value"]
    let members = try EventValueEncoder().parameters(Box(value: value))
    return (plain, converter.convert(members)["value"])
  }

  @Test("whether it stands in a dictionary or is encoded")
  func types() throws {
    let date = Date(timeIntervalSince1970: 1_700_000_000.25)
    let values: [any Encodable & Sendable] = [
      "text", "e\u{301}", true, false, 1, -1, Int8.min, UInt64.max, 1.5, -0.0, Float(0.1), Float(3), 1e300,
      Decimal(string: "19.99") ?? 0, Decimal(7), Decimal(string: "18446744073709551615") ?? 0, date,
      try #require(URL(string: "https://a.test/x?y")), UUID(), Color.red, [1, 2], ["a": [true]], Int?.some(3),
      Double.nan, Float.infinity,
    ]
    for value in values {
      let (plain, encoded) = try forms(value)
      expectNoDifference(encoded, plain, "\(type(of: value)) \(value)")
    }
  }

  @Test("a price keeps its digits", arguments: [1999, 1990, 100_001, 3, 0])
  func prices(start: Int) throws {
    for cents in start..<start + 1000 {
      let price = Decimal(cents) / 100
      let (plain, encoded) = try forms(price)
      expectNoDifference(encoded, plain)
      expectNoDifference(encoded?.canonicalText, price.description)
    }
  }
}
