import DualSendCore
import Foundation
import Testing

@Suite("A Foundation object becomes", .timeLimit(.minutes(5)))
struct ConvertedFoundationValueTests {
  private func expect(_ value: Any, _ expected: EventValue, _ location: SourceLocation = #_sourceLocation) {
    var converter = EventValueConverter()
    let converted = converter.convert(any: value)
    #expect(converted == expected, sourceLocation: location)
    #expect(converter.issues.isEmpty, sourceLocation: location)
  }

  @Test("a boolean, an integer or a double as the number was made, not as it compares")
  func numbers() {
    expect(NSNumber(value: true), .bool(true))
    expect(NSNumber(value: false), .bool(false))
    expect(NSNumber(value: 1), .int(1))
    expect(NSNumber(value: 0), .int(0))
    expect(NSNumber(value: 1.0), .double(1))
    expect(NSNumber(value: Int8(1)), .int(1))
    expect(NSNumber(value: UInt8(200)), .int(200))
    expect(NSNumber(value: Int64.min), .int(.min))
    expect(NSNumber(value: UInt64(7)), .int(7))
    expect(NSNumber(value: Float(0.1)), .double(0.1))
    expect(NSNumber?.some(NSNumber(value: true)) as Any, .bool(true))
  }

  @Test("an integer from a whole decimal number, else a double")
  func decimals() {
    expect(NSDecimalNumber(string: "42"), .int(42))
    expect(NSDecimalNumber(string: "0.1"), .double(0.1))
    expect(NSDecimalNumber(string: "-9223372036854775808"), .int(.min))
  }

  @Test("its Swift counterpart")
  func counterparts() throws {
    expect(NSString("é😀"), "é😀")
    expect(NSMutableString(string: "a"), "a")
    expect(NSNull(), nil)
    expect(NSDate(timeIntervalSince1970: 1), .date(Date(timeIntervalSince1970: 1)))
    expect(try #require(NSURL(string: "https://example.com")), "https://example.com")
    expect(
      try #require(NSUUID(uuidString: "018BCFE5-6800-7ABC-8DEF-0123456789AB")), "018BCFE5-6800-7ABC-8DEF-0123456789AB")
  }

  @Test("a container of what its elements become")
  func containers() {
    expect(NSArray(array: [NSNumber(value: true), NSString("a"), NSNull()]), [true, "a", nil])
    expect(NSDictionary(dictionary: ["a": NSNumber(value: 1), "b": NSArray()]), ["a": 1, "b": []])
    expect(["a": NSDictionary(dictionary: ["b": NSNumber(value: 1.5)])] as [String: Any], ["a": ["b": 1.5]])
  }
}
