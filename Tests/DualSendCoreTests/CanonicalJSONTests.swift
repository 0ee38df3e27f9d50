import DualSendCore
import Foundation
import Testing

@Suite("A value as canonical JSON", .timeLimit(.minutes(5)))
struct CanonicalJSONTests {
  @Test("has its keys in the order of their UTF-16 code units")
  func keyOrder() {
    // RFC 8785, section 3.2.3, and the two sides of the surrogates: U+1F600 is D83D DE00, before U+E000 and U+FB33.
    let keys = [
      "", "\r", "1", "a", "aa", "b", "\u{80}", "ö", "€", "\u{D7FF}", "😀", "😁", "\u{E000}", "\u{FB33}", "\u{FFFF}",
    ]
    let value = EventValue.object(Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) }))
    let expected = "{" + keys.map { EventValue.string($0).canonicalText + ":1" }.joined(separator: ",") + "}"
    #expect(value.canonicalText == expected)
    #expect(keys.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) } == keys)
  }

  @Test("has many keys in the same order as few", arguments: [2, 31, 32, 33, 500], [UInt64](0..<5))
  func manyKeys(count: Int, seed: UInt64) {
    var random = RandomValues(seed: seed)
    // Half of them have the same first eight bytes.
    let keys = (0..<count).map { (random.bits() & 1 == 0 ? "identifi" : "") + random.text() + "\($0)" }
    let value = EventValue.object(Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) }))
    let expected = keys.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) }
    let members = expected.map { EventValue.string($0).canonicalText + ":1" }
    #expect(value.canonicalText == "{" + members.joined(separator: ",") + "}")
  }

  @Test("escapes what JSON demands, in its shortest form, and nothing else")
  func escapes() {
    let text = "\u{0}\u{8}\t\n\u{B}\u{C}\r\u{1F}\"\\/\u{7F}é\u{2028}😀"
    let expected = #""\u0000\b\t\n\u000b\f\r\u001f\"\\/"# + "\u{7F}é\u{2028}😀\""
    #expect(EventValue.string(text).canonicalText == expected)
  }

  @Test("has no spaces, and keeps the order of an array")
  func containers() {
    let value: EventValue = ["b": [3, nil, true, [:], []], "a": ["x": false]]
    #expect(value.canonicalText == #"{"a":{"x":false},"b":[3,null,true,{},[]]}"#)
  }

  @Test("has a date as text in UTC with milliseconds")
  func date() {
    #expect(EventValue.date(Date(timeIntervalSince1970: 1.5)).canonicalText == #""1970-01-01T00:00:01.500Z""#)
  }

  @Test("reads back as the same value, and is written the same again", arguments: 0..<200)
  func roundTrip(_ seed: UInt64) throws {
    var random = RandomValues(seed: seed)
    let value = random.value()
    let bytes = value.canonicalJSON
    let read = try JSONReader().value(bytes)
    #expect(read == value)
    #expect(read.canonicalJSON == bytes)
  }
}
