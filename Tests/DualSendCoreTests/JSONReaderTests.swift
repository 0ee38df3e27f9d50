import Testing

@testable import DualSendCore

@Suite("The strict reader", .timeLimit(.minutes(5)))
struct JSONReaderTests {
  private func value(_ text: String) throws -> EventValue {
    try JSONReader().value(Array(text.utf8))
  }

  @Test(
    "reads a number as an integer where it is written as one and fits, else as a double",
    arguments: [
      ("0", .int(0)), ("-0", .int(0)), ("-12", .int(-12)), ("9223372036854775807", .int(.max)),
      ("-9223372036854775808", .int(.min)), ("9223372036854775808", .uint(9_223_372_036_854_775_808)),
      ("18446744073709551614", .uint(.max - 1)), ("18446744073709551615", .uint(.max)),
      ("18446744073709551616", .double(18_446_744_073_709_551_616)),
      ("-9223372036854775809", .double(-9_223_372_036_854_775_808)), ("1.0", .double(1)), ("1e2", .double(100)),
      ("1E+2", .double(100)), ("25e-1", .double(2.5)), ("0.1", .double(0.1)),
      ("5e-324", .double(.leastNonzeroMagnitude)),
      ("1e-999", .double(0)), ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
      ("100000000000000000000000", .double(1e23)), ("0e5", .double(0)),
    ] as [(String, EventValue)])
  func numbers(_ text: String, _ expected: EventValue) throws {
    #expect(try value(text) == expected)
    #expect(try JSONReader().document(Array(text.utf8)).root.eventValue == expected)
  }

  @Test(
    "counts the numbers that have more digits than are kept",
    arguments: [
      ("[0, -0.0, 1.0, 1.50, 12e3, 0.1, 1e300, 0.30000000000000004, 9007199254740993]", 0),
      ("[18446744073709551615, -9223372036854775808, 100000000000000000000, 1e22, 5e-324]", 0),
      ("[18446744073709551616]", 1), ("[0.1234567890123456789, 0.12345678901234568]", 1), ("[1e-400]", 1),
      ("[1.23456789012345678e-310]", 1), ("[9007199254740993.0]", 1), ("[505874924095815681.0]", 1),
      (#"{"a": [99999999999999999999, {"b": -99999999999999999999}]}"#, 2),
    ])
  func inexact(_ text: String, _ count: Int) throws {
    var inexactNumbers = 0
    _ = try JSONReader().value(text.utf8, countingInexact: &inexactNumbers)
    #expect(inexactNumbers == count)
  }

  @Test("keeps the sign of a zero that is written as a double")
  func negativeZero() throws {
    let signs: [FloatingPointSign?] = try ["-0.0", "-0e1", "0.0", "-0"].map { text in
      if case .double(let zero) = try value(text) { zero.sign } else { nil }
    }
    #expect(signs == [.minus, .minus, .plus, nil])
  }

  @Test("undoes every escape")
  func escapes() throws {
    #expect(try value(#""\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\ude00\u0000""#) == "\"\\/\u{8}\u{C}\n\r\tAé€😀\u{0}")
  }

  @Test(
    "reads every Unicode scalar as itself", arguments: ["é", "€", "😀", "\u{7F}", "\u{2028}", "\u{10FFFF}", "\u{FEFF}"])
  func unicode(_ text: String) throws {
    #expect(try value("\"\(text)\"") == .string(text))
  }

  @Test("passes over the four white space characters anywhere between tokens")
  func whitespace() throws {
    #expect(try value(" \t\r\n{ \"a\"\n:\r[ 1 ,\t2 ] , \"b\" : { } }\n ") == ["a": [1, 2], "b": [:]])
  }

  @Test("reads bytes that do not lie in one piece")
  func lazySequence() throws {
    #expect(try JSONReader().value("[1]".utf8.lazy.map { $0 }) == [1])
  }

  @Test("takes a long text of many values")
  func large() throws {
    let elements = (0..<100_000).map { EventValue.object(["n": .int($0), "text": "é\n"]) }
    #expect(try JSONReader().value(EventValue.array(elements).canonicalJSON) == .array(elements))
  }

  @Test("takes a string of a megabyte, escaped or not")
  func longString() throws {
    let plain = String(repeating: "é", count: 500_000)
    #expect(try value("\"\(plain)\"") == .string(plain))
    #expect(
      try value("\"\(String(repeating: #"\n"#, count: 500_000))\"") == .string(String(repeating: "\n", count: 500_000)))
  }

  @Test("a document keeps the order of its members, the place of each, and each number's text")
  func places() throws {
    let text = #"{ "b": 1.50, "a": [ true, {"é":null} ] }"#
    let document = try JSONReader().document(Array(text.utf8), name: "file.json")
    #expect(document.source.name == "file.json")
    let members = try #require(document.root.members)
    #expect(members.map(\.key) == ["b", "a"])
    #expect(members.map(\.keyOffset) == [2, 13])
    #expect(members.map(\.value.offset) == [7, 18])
    #expect(members.first?.value.number == JSONNode.Number(text: "1.50", isInteger: false))
    #expect(members.last?.value.elements?.map(\.offset) == [20, 26])
    #expect(document.root.eventValue == ["b": 1.5, "a": [true, ["é": nil]]])
  }

  @Test(
    "names each type with its article",
    arguments: zip(
      ["null", "true", "1", "\"\"", "[]", "{}"],
      ["null", "a boolean", "a number", "a string", "an array", "an object"]))
  func typeNames(_ text: String, _ name: String) throws {
    #expect(try JSONReader().document(Array(text.utf8)).root.typeDescription == name)
  }

  @Test("passes over a byte order mark, and takes nothing behind it for empty")
  func byteOrderMark() throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    #expect(try JSONReader().value(mark + Array(" [1]".utf8)) == [1])
    #expect(try JSONReader().document(mark + Array("{}".utf8)).root.offset == 3)
    #expect(throws: JSONError(reason: .empty, offset: 0)) { try JSONReader().value(mark) }
    #expect(throws: JSONError(reason: .unexpectedByte(0xEF), offset: 0)) { try JSONReader().value(mark.dropLast()) }
    #expect(throws: JSONError(reason: .unexpectedByte(0xEF), offset: 3)) { try JSONReader().value(mark + mark) }
  }
}

extension JSONNode {
  fileprivate var members: [Member]? {
    if case .object(let members) = content { members } else { nil }
  }

  fileprivate var elements: [JSONNode]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  fileprivate var number: Number? {
    if case .number(let number) = content { number } else { nil }
  }
}
