import DualSendCore
import Foundation
import Testing

@Suite("A Swift value becomes", .timeLimit(.minutes(5)))
struct ConvertedSwiftValueTests {
  private enum Word: String { case yes }
  private enum Level: UInt8 { case high = 3 }
  private struct Flags: OptionSet { let rawValue: Int }

  private func expect(_ value: Any, _ expected: EventValue, _ location: SourceLocation = #_sourceLocation) {
    var converter = EventValueConverter()
    let converted = converter.convert(any: value)
    #expect(converted == expected, sourceLocation: location)
    #expect(converter.issues.isEmpty, sourceLocation: location)
  }

  @Test("a boolean, an integer or a double by its own type, never by its value")
  func kinds() {
    expect(true, .bool(true))
    expect(false, .bool(false))
    expect(1, .int(1))
    expect(0, .int(0))
    expect(1.0, .double(1))
    expect(0.0, .double(0))
  }

  @Test("an integer, whatever its width")
  func integers() {
    expect(Int8.min, .int(-128))
    expect(Int16(7), .int(7))
    expect(Int32.max, .int(2_147_483_647))
    expect(Int64.min, .int(.min))
    expect(UInt8.max, .int(255))
    expect(UInt16(7), .int(7))
    expect(UInt32.max, .int(4_294_967_295))
    expect(UInt(7), .int(7))
    expect(UInt64(Int64.max), .int(.max))
  }

  @Test("a double with a float's own digits, not with those of its binary neighbour")
  func floats() {
    expect(Float(0.1), .double(0.1))
    expect(Float(-16_777_216), .double(-16_777_216))
    expect(CGFloat(0.25), .double(0.25))
  }

  @Test("an unsigned integer beyond Int64, with all its digits")
  func unsigned() {
    for number in [UInt64.max, UInt.max, NSNumber(value: UInt64.max), EventValue.uint(.max)] as [Any] {
      expect(number, .uint(.max))
    }
    expect(UInt64(Int64.max), .int(.max))
    expect(EventValue.uint(1), .int(1))
    #expect(EventValue.uint(.max).canonicalText == "18446744073709551615")
  }

  @Test("an integer from a whole decimal, else a double")
  func decimals() throws {
    expect(Decimal(42), .int(42))
    expect(try #require(Decimal(string: "0.1")), .double(0.1))
    expect(try #require(Decimal(string: "9223372036854775807")), .int(.max))
    expect(try #require(Decimal(string: "9223372036854775808")), .uint(9_223_372_036_854_775_808))
    expect(try #require(Decimal(string: "18446744073709551616")), .double(18_446_744_073_709_551_616))
  }

  @Test("a string from everything that is text")
  func texts() throws {
    expect("é😀", "é😀")
    expect("abc".dropFirst(), "bc")
    expect(Character("é"), "é")
    expect(try #require(URL(string: "https://example.com/a?b=c")), "https://example.com/a?b=c")
    expect(
      try #require(UUID(uuidString: "018BCFE5-6800-7ABC-8DEF-0123456789AB")), "018BCFE5-6800-7ABC-8DEF-0123456789AB")
  }

  @Test("a date from a date")
  func date() {
    let date = Date(timeIntervalSince1970: 12.5)
    expect(date, .date(date))
  }

  @Test("what its raw value becomes")
  func rawRepresentable() {
    expect(Word.yes, "yes")
    expect(Level.high, 3)
    expect(Flags(rawValue: 5), 5)
  }

  @Test("what an optional holds, however deeply, and null where it holds nothing")
  func optionals() {
    expect(Int?.some(1) as Any, 1)
    expect(Bool?.some(true) as Any, true)
    expect(String?.none as Any, nil)
    expect(Int??.some(.none) as Any, nil)
    expect(Bool???.some(true) as Any, true)
    expect(Date?.some(Date(timeIntervalSince1970: 0)) as Any, .date(Date(timeIntervalSince1970: 0)))
    expect(Word?.some(.yes) as Any, "yes")
    expect([Int?.some(1), nil] as [Int?], [1, nil])
    expect(["a": Int?.none] as [String: Int?], ["a": nil])
  }

  @Test("a container of what its elements become")
  func containers() {
    expect([1, 2], [1, 2])
    expect([true, 1, 1.5, "a"] as [Any], [true, 1, 1.5, "a"])
    expect(["a": [["b": [1]]]], ["a": [["b": [1]]]])
    expect([String: Int](), [:])
    expect([Word.yes], ["yes"])
    expect(["a": EventValue.int(1)], ["a": 1])
  }

  @Test("itself, if it is an event value already")
  func eventValues() {
    expect(EventValue.object(["a": [1, nil]]), ["a": [1, nil]])
    expect(EventValue?.some(.int(1)) as Any, 1)
  }

  @Test("the same from a payload of any, of sendable and of event values")
  func payloads() {
    let expected: [String: EventValue] = ["a": 1, "b": ["c": true]]
    var converter = EventValueConverter()
    let payloads = [
      converter.convert(["a": 1, "b": ["c": true]] as [String: Any]),
      converter.convert(["a": 1, "b": ["c": true]] as [String: any Sendable]), converter.convert(expected),
    ]
    #expect(payloads == [expected, expected, expected])
  }
}
