import DualSendCore
import Foundation
import Testing

/// A text that the reader must refuse, why, and at which byte.
struct Refusal: Sendable, CustomTestStringConvertible {
  let bytes: [UInt8]
  let reason: JSONError.Reason
  let offset: Int

  init(_ text: String, _ reason: JSONError.Reason, at offset: Int) {
    self.init(Array(text.utf8), reason, at: offset)
  }

  init(_ bytes: [UInt8], _ reason: JSONError.Reason, at offset: Int) {
    self.bytes = bytes
    self.reason = reason
    self.offset = offset
  }

  var testDescription: String { String(decoding: bytes, as: UTF8.self) }
}

@Suite("The strict reader refuses", .timeLimit(.minutes(5)))
struct JSONRefusalTests {
  /// Both ways to read must refuse alike.
  private func expect(_ refusal: Refusal, reader: JSONReader = JSONReader()) {
    let errors = [
      #expect(throws: JSONError.self) { try reader.value(refusal.bytes) },
      #expect(throws: JSONError.self) { try reader.document(refusal.bytes) },
    ]
    #expect(errors.map { $0?.reason } == [refusal.reason, refusal.reason])
    #expect(errors.map { $0?.offset } == [refusal.offset, refusal.offset])
  }

  @Test(
    "a text that ends too early",
    arguments: [
      Refusal("", .empty, at: 0), Refusal(" \n ", .empty, at: 0), Refusal("{", .unexpectedEnd, at: 1),
      Refusal(#"{"a""#, .unexpectedEnd, at: 4), Refusal(#"{"a":"#, .unexpectedEnd, at: 5),
      Refusal(#"{"a":1"#, .unexpectedEnd, at: 6), Refusal(#"{"a":1,"#, .unexpectedEnd, at: 7),
      Refusal("[", .unexpectedEnd, at: 1), Refusal("[1", .unexpectedEnd, at: 2), Refusal("[1,", .unexpectedEnd, at: 3),
      Refusal(#""\u00"#, .unexpectedEnd, at: 5), Refusal("tru", .unexpectedEnd, at: 3),
    ])
  func cutOff(_ refusal: Refusal) { expect(refusal) }

  @Test(
    "a string that is not closed on its line, at its opening quote",
    arguments: [
      Refusal(#""ab"#, .unfinishedString, at: 0), Refusal(#"["a\"#, .unfinishedString, at: 1),
      Refusal(#"[1,"a\n"#, .unfinishedString, at: 3), Refusal("{\"a\": \"b,\n\"c\": 1}", .unfinishedString, at: 6),
      Refusal("\"a\nb\"", .unfinishedString, at: 0), Refusal("\"\\t\r\n\"", .unfinishedString, at: 0),
    ])
  func unfinished(_ refusal: Refusal) { expect(refusal) }

  @Test(
    "what does not belong there",
    arguments: [
      Refusal("[1,]", .unexpectedByte(UInt8(ascii: "]")), at: 3),
      Refusal(#"{"a":1,}"#, .unexpectedByte(UInt8(ascii: "}")), at: 7),
      Refusal("[,1]", .unexpectedByte(UInt8(ascii: ",")), at: 1),
      Refusal("{,}", .unexpectedByte(UInt8(ascii: ",")), at: 1),
      Refusal("{a:1}", .unexpectedByte(UInt8(ascii: "a")), at: 1),
      Refusal("{1:1}", .unexpectedByte(UInt8(ascii: "1")), at: 1),
      Refusal("'a'", .unexpectedByte(UInt8(ascii: "'")), at: 0),
      Refusal("// a\n1", .unexpectedByte(UInt8(ascii: "/")), at: 0),
      Refusal("nul1", .unexpectedByte(UInt8(ascii: "1")), at: 3),
      Refusal("Truly", .unexpectedByte(UInt8(ascii: "T")), at: 0),
      Refusal("\u{A0}1", .unexpectedByte(0xC2), at: 0),
      Refusal("\u{B}1", .unexpectedByte(0x0B), at: 0),
      Refusal(#"{"a" 1}"#, .expected("`:` after a key", found: UInt8(ascii: "1")), at: 5),
      Refusal(#"{"a":1 "b":2}"#, .expected("`,` or `}`", found: UInt8(ascii: "\"")), at: 7),
      Refusal("[1 2]", .expected("`,` or `]`", found: UInt8(ascii: "2")), at: 3),
      Refusal("[1}", .expected("`,` or `]`", found: UInt8(ascii: "}")), at: 2),
      Refusal("[5%]", .expected("`,` or `]`", found: UInt8(ascii: "%")), at: 2),
    ])
  func misplaced(_ refusal: Refusal) { expect(refusal) }

  @Test(
    "a word that means a value in another language, and says what JSON writes",
    arguments: [
      Refusal("True", .foreignWord("True", json: "true"), at: 0),
      Refusal("[FALSE]", .foreignWord("FALSE", json: "false"), at: 1),
      Refusal("None", .foreignWord("None", json: "null"), at: 0),
      Refusal("nil", .foreignWord("nil", json: "null"), at: 0),
      Refusal(#"{"a": undefined}"#, .foreignWord("undefined", json: "null"), at: 6),
      Refusal("NaN", .foreignWord("NaN", json: nil), at: 0), Refusal("nan", .foreignWord("nan", json: nil), at: 0),
      Refusal("[-Infinity]", .foreignWord("Infinity", json: nil), at: 1),
    ])
  func foreignWords(_ refusal: Refusal) { expect(refusal) }

  @Test(
    "text that is not UTF-8 but UTF-16 or UTF-32, with a byte order mark or without",
    arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32])
  func wideCharacters(_ encoding: String.Encoding) throws {
    expect(Refusal(Array(try #require(#"{"a": 1}"#.data(using: encoding))), .wideCharacters, at: 0))
  }

  @Test(
    "text after the value",
    arguments: [
      Refusal("1 2", .trailingContent, at: 2), Refusal("{} {}", .trailingContent, at: 3),
      Refusal("truex", .trailingContent, at: 4), Refusal("[]]", .trailingContent, at: 2),
      Refusal("1\u{0}", .trailingContent, at: 1),
    ])
  func trailing(_ refusal: Refusal) { expect(refusal) }

  @Test(
    "a key that appears twice in one object, also where it is spelled differently",
    arguments: [
      Refusal(#"{"a":1,"b":2,"a":3}"#, .duplicateKey("a"), at: 13),
      Refusal(#"{"a":1, "\u0061":1}"#, .duplicateKey("a"), at: 8),
      Refusal(#"[{"":{"x":1,"x":1}}]"#, .duplicateKey("x"), at: 12),
      Refusal("{\"\u{E9}\":1,\"\\u00e9\":2}", .duplicateKey("\u{E9}"), at: 8),
    ])
  func duplicateKeys(_ refusal: Refusal) { expect(refusal) }

  @Test(
    "two keys of one object that only Unicode calls equal, as what they are",
    arguments: [
      Refusal("{\"\u{E9}\":1,\"e\u{301}\":2}", .equivalentKeys("e\u{301}"), at: 8),
      Refusal("{\"K\":1,\"\u{212A}\":2}", .equivalentKeys("\u{212A}"), at: 7),
      Refusal(#"[{"\u212b":1,"\u00c5":2}]"#, .equivalentKeys("\u{C5}"), at: 13),
      Refusal("{\"a\u{323}\u{307}\":1,\"a\u{307}\u{323}\":2}", .equivalentKeys("a\u{307}\u{323}"), at: 11),
    ])
  func equivalentKeys(_ refusal: Refusal) throws {
    expect(refusal)
    let error = try #require(throws: DocumentError.self) { try DocumentReader(refusal.bytes, name: "a.json") }
    #expect(error.diagnostics.map(\.code.rawValue) == ["DS0007"])
  }

  @Test(
    "a number that JSON does not know",
    arguments: [
      Refusal("01", .invalidNumber, at: 0), Refusal("-01", .invalidNumber, at: 0), Refusal("00", .invalidNumber, at: 0),
      Refusal("[ -]", .invalidNumber, at: 2), Refusal("1.", .invalidNumber, at: 0),
      Refusal("1.e5", .invalidNumber, at: 0), Refusal("1e", .invalidNumber, at: 0),
      Refusal("1e+", .invalidNumber, at: 0),
      Refusal("-.5", .invalidNumber, at: 0), Refusal(".5", .unexpectedByte(UInt8(ascii: ".")), at: 0),
      Refusal("+1", .unexpectedByte(UInt8(ascii: "+")), at: 0), Refusal("0x1", .trailingContent, at: 1),
      Refusal("1_000", .trailingContent, at: 1),
    ])
  func numbers(_ refusal: Refusal) { expect(refusal) }

  @Test(
    "a number that no double can hold",
    arguments: [
      Refusal("1e999", .numberOutOfRange, at: 0), Refusal("[-1e999]", .numberOutOfRange, at: 1),
      Refusal("1" + String(repeating: "0", count: 400), .numberOutOfRange, at: 0),
    ])
  func tooLargeNumbers(_ refusal: Refusal) { expect(refusal) }

  @Test(
    "an escape that JSON does not know",
    arguments: [
      Refusal(#""a\x""#, .invalidEscape, at: 2), Refusal(#""\'""#, .invalidEscape, at: 1),
      Refusal(#""\u12G4""#, .invalidEscape, at: 5), Refusal(#""\U0041""#, .invalidEscape, at: 1),
    ])
  func escapes(_ refusal: Refusal) { expect(refusal) }

  @Test(
    "half of a surrogate pair",
    arguments: [
      Refusal(#""a\ud83d""#, .loneSurrogate, at: 2), Refusal(#""\ude00""#, .loneSurrogate, at: 1),
      Refusal(#""\ud83d\n""#, .loneSurrogate, at: 1), Refusal(#""\ud83dx""#, .loneSurrogate, at: 1),
      Refusal(#""\ud83d\u0041""#, .loneSurrogate, at: 1), Refusal(#""\ud83d\ud83d""#, .loneSurrogate, at: 1),
    ])
  func surrogates(_ refusal: Refusal) { expect(refusal) }

  @Test(
    "a control character in a string",
    arguments: [
      Refusal("\"\u{0}\"", .controlCharacterInString, at: 1),
      Refusal("\"\\n\t\"", .controlCharacterInString, at: 3),
      Refusal("{\"\u{1F}\":1}", .controlCharacterInString, at: 2),
    ])
  func controlCharacters(_ refusal: Refusal) { expect(refusal) }

  @Test(
    "bytes that are not UTF-8, at the first of them",
    arguments: [
      Refusal([0x22, 0x61, 0xFF, 0x22], .invalidUTF8, at: 2),
      // A sequence that is cut off, whose bytes a repair would begin with.
      Refusal([0x22, 0x61, 0x62, 0xEF, 0xBF, 0x22], .invalidUTF8, at: 3),
      Refusal([0x22, 0xEF, 0x41, 0x22], .invalidUTF8, at: 1),
      // Overlong, a surrogate, and beyond U+10FFFF.
      Refusal([0x22, 0xC0, 0x80, 0x22], .invalidUTF8, at: 1),
      Refusal([0x22, 0xED, 0xA0, 0x80, 0x22], .invalidUTF8, at: 1),
      Refusal([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], .invalidUTF8, at: 1),
      // After escapes, which are longer than what they stand for.
      Refusal(Array(#""\u0041\n"#.utf8) + [0xC3, 0xA9, 0x80, 0x22], .invalidUTF8, at: 11),
      Refusal(Array(#"{"\t"#.utf8) + [0xE2, 0x82] + Array(#"":1}"#.utf8), .invalidUTF8, at: 4),
    ])
  func invalidUTF8(_ refusal: Refusal) { expect(refusal) }

  @Test("nesting beyond the limit, and takes what is just within it")
  func depth() throws {
    let reader = JSONReader(maximumDepth: 3)
    #expect(try reader.value(Array("[[{}],[[]]]".utf8)) == [[[:]], [[]]])
    expect(Refusal("[[[[]]]]", .tooDeep(limit: 3), at: 3), reader: reader)
    expect(Refusal(#"{"a":[{"b":{}}]}"#, .tooDeep(limit: 3), at: 11), reader: reader)
    expect(Refusal(String(repeating: "[", count: 1_000_000), .tooDeep(limit: 64), at: 64))
  }

  @Test("a key with a run of marks, which Swift would sort each time that it is hashed; texts and short runs stay")
  func marks() throws {
    let marks = String(repeating: "\u{301}\u{323}", count: 15)
    expect(Refusal("{\"b\":{\"a\(marks)\u{301}\":1}}", .tooManyMarks(limit: 30), at: 6))
    #expect(throws: JSONError.self) { try JSONReader().document(Array("[\"a\(marks)\u{301}\"]".utf8)) }
    guard
      case .object(let members) = try JSONReader().value(Array("{\"a\(marks)b\(marks)\":\"a\(marks)\(marks)\"}".utf8))
    else { return }
    #expect(members.count == 1)
  }

  @Test("a text beyond the limit, and takes what is just within it")
  func size() throws {
    let reader = JSONReader(maximumBytes: 4)
    #expect(try reader.value(Array("1234".utf8)) == 1234)
    expect(Refusal("12345", .tooLarge(limit: 4), at: 4), reader: reader)
  }
}
