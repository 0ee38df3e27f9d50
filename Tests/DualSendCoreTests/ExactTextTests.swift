import Testing

@testable import DualSendCore

/// Two spellings that Swift calls equal and that have other bytes.
struct Spellings: Sendable, CustomTestStringConvertible {
  let composed: String
  let decomposed: String

  var testDescription: String { composed.scalarNumbers + " and " + decomposed.scalarNumbers }

  static let all = [
    Spellings(composed: "\u{E9}", decomposed: "e\u{301}"), Spellings(composed: "K", decomposed: "\u{212A}"),
    Spellings(composed: "\u{C5}", decomposed: "\u{212B}"), Spellings(composed: "\u{C5}", decomposed: "A\u{30A}"),
    Spellings(composed: "a\u{323}\u{307}", decomposed: "a\u{307}\u{323}"),
  ]
}

@Suite("Texts are equal if their bytes are", .serialized, .timeLimit(.minutes(5)))
struct ExactTextTests {
  @Test("as values, keys and paths", arguments: Spellings.all)
  func values(_ texts: Spellings) {
    let (left, right) = (texts.composed, texts.decomposed)
    #expect(left == right)
    #expect(!left.isExactly(right))
    #expect(EventValue.string(left) != .string(right))
    #expect(EventValue.string(left) == .string(left))
    #expect(EventValue.object([left: 1]) != .object([right: 1]))
    #expect(EventValue.array([.object([left: 1])]) != .array([.object([right: 1])]))
    #expect(EventPath([.key(left)]) != EventPath([.key(right)]))
    #expect(ExactText(left) != ExactText(right))
    #expect(Set([EventValue.string(left), .string(right)]).count == 2)
  }

  @Test("where a dictionary is asked for a key", arguments: Spellings.all)
  func keys(_ texts: Spellings) {
    let members = [texts.composed: 1]
    #expect(members[texts.decomposed] == 1)
    #expect(members.value(exactly: texts.decomposed) == nil)
    #expect(members.value(exactly: texts.composed) == 1)
    #expect(EventValue.object([texts.composed: 1]).value(at: EventPath([.key(texts.decomposed)])) == nil)
  }

  @Test("where they are put in order", arguments: Spellings.all)
  func order(_ texts: Spellings) {
    let both = [texts.decomposed, texts.composed].sorted(by: String.byteOrder)
    #expect(
      both.map { Array($0.utf8) }
        == [texts.composed, texts.decomposed].sorted(by: String.byteOrder).map { Array($0.utf8) })
    #expect((EventPath([.key(both[0])]) < EventPath([.key(both[1])])))
  }

  @Test("counts one without an s", arguments: [(1, "1 event"), (0, "0 events"), (1_234, "1,234 events")])
  func counted(_ number: Int, _ text: String) {
    #expect(number.counted("event") == text)
  }
}

@Suite("Numbers are equal if their texts are", .timeLimit(.minutes(5)))
struct EqualNumberTests {
  @Test(
    "whether integers or doubles",
    arguments: [
      (.int(1), .double(1), true), (.int(0), .double(-0.0), true), (.int(1), .double(1.5), false),
      (.int(505_874_924_095_815_700), .double(505_874_924_095_815_680), true),
      (.int(505_874_924_095_815_681), .double(505_874_924_095_815_680), false),
      (.int(505_874_924_095_815_680), .double(505_874_924_095_815_680), false),
      (.int(9_007_199_254_740_992), .double(0x1p53), true), (.int(9_007_199_254_740_993), .double(0x1p53), false),
      (.int(.max), .double(0x1p63), false), (.int(.min), .double(-0x1p63), false),
      (.uint(9_223_372_036_854_776_000), .double(0x1p63), true),
      (.uint(.max), .uint(.max - 1), false), (.uint(.max), .double(0x1p64), false), (.int(1), "1", false),
      (.int(1), true, false),
    ] as [(EventValue, EventValue, Bool)])
  func sameNumber(_ left: EventValue, _ right: EventValue, _ isSame: Bool) {
    #expect(left.isSameNumber(as: right) == isSame)
    #expect(right.isSameNumber(as: left) == isSame)
    if left.isNumber, right.isNumber { #expect((left.canonicalText == right.canonicalText) == isSame) }
  }
}
