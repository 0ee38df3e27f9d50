import DualSendCore
import DualSendRemapping
import Testing

@testable import DualSendParity

@Suite("A comparison goes by bytes and canonical texts", .timeLimit(.minutes(5)))
struct ExactComparisonTests {
  static let spellings = [("\u{E9}", "e\u{301}"), ("K", "\u{212A}"), ("\u{C5}", "\u{212B}"), ("\u{C5}", "A\u{30A}")]

  @Test("values and keys that only Unicode calls equal differ", arguments: spellings)
  func texts(_ left: String, _ right: String) {
    let values = PayloadComparison(expected: ["a": .string(left)], actual: ["a": .string(right)])
    #expect(values.fields.map(\.outcome) == [.valueChanged])
    let keys = PayloadComparison(expected: [left: 1], actual: [right: 1])
    #expect(Set(keys.fields.map(\.outcome)) == [.missing, .extra])
  }

  @Test("events and fields that only Unicode calls equal are counted apart", arguments: spellings)
  func counts(_ left: String, _ right: String) throws {
    let report = try compare(
      old: [
        old("1", left, #"{"\#(left)":1}"#), old("2", right, #"{"\#(left)":1}"#), old("3", left, #"{"\#(right)":1}"#),
      ],
      new: [
        new("1", left, #"{"\#(left)":1}"#), new("2", right, #"{"\#(left)":1}"#), new("3", left, #"{"\#(right)":1}"#),
      ])
    #expect(
      report.events.map { Array($0.name.utf8) } == [left, right].sorted(by: String.byteOrder).map { Array($0.utf8) })
    let first = try #require(report.events.first { $0.name.isExactly(left) })
    #expect((first.pairs, first.fields.count, first.differing) == (2, 2, 0))
  }

  @Test("a new name that only Unicode calls the expected one is another name", arguments: spellings)
  func names(_ left: String, _ right: String) throws {
    let report = try compare(old: [old("1", "tap")], new: [new("1", right)], table: #"{"tap":{"name":"\#(left)"}}"#)
    #expect(report.events.map(\.renamed) == [1])
  }

  @Test("unsigned integers are told apart to the last digit")
  func unsigned() throws {
    let (left, right) = (#"{"n":18446744073709551615}"#, #"{"n":18446744073709551614}"#)
    #expect(try PayloadComparison(expected: payload(left), actual: payload(left)).isMatch)
    #expect(
      try PayloadComparison(expected: payload(left), actual: payload(right)).fields.map(\.outcome) == [.valueChanged])
  }

  @Test(
    "what a table writes equals what is read back of it",
    arguments: ["int", "double", "string", "date", "bool"],
    [
      "505874924095815681", "505874924095815700", "9007199254740993", "18446744073709551615", "-9223372036854775808",
      "9223372036854775808", "1e300", "0.1", "-0.0", "1.0", "1e21", "123456789012345680000", "253402300800000",
      "\"1e3\"",
      "\"18446744073709551614\"", "\"505874924095815681\"", "true", "\"2026-12-31T23:59:60Z\"",
    ])
  func roundTrip(_ type: String, _ number: String) throws {
    let table = try RemappingTable(
      reading: #"{"formatVersion":1,"events":{"e":{"parameters":{"a":{"to":"b","type":"\#(type)"}}}}}"#.utf8)
    let written = table.apply(to: "e", payload: try payload(#"{"a":\#(number)}"#)).payload
    let read = try payload(EventValue.object(written).canonicalText)
    #expect(PayloadComparison(expected: written, actual: read).isMatch)
    let report = try compare(
      old: [old("1", "e", #"{"a":\#(number)}"#), old("2", "e", #"{"a":\#(number)}"#)],
      new: ["1", "2"].map { new($0, "e", EventValue.object(written).canonicalText) },
      table: #"{"e":{"parameters":{"a":{"to":"b","type":"\#(type)"}}}}"#)
    #expect(report.events.map(\.differing) == [0])
  }
}
