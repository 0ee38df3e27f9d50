import DualSendRemapping
import Testing

@Suite("Key path patterns", .timeLimit(.minutes(5)))
struct KeyPathPatternTests {
  @Test(
    "a written path reads as its steps",
    arguments: [
      ("a", [.key("a")]),
      ("a.b", [.key("a"), .key("b")]),
      (#"a\.b"#, [.key("a.b")]),
      (#"a\\.b"#, [.key("a\\"), .key("b")]),
      (#"a\[\]"#, [.key("a[]")]),
      ("a[]", [.key("a"), .eachElement]),
      ("a[][].b", [.key("a"), .eachElement, .eachElement, .key("b")]),
      ("日本.é", [.key("日本"), .key("é")]),
    ] as [(String, [KeyPathPattern.Step])])
  func steps(text: String, steps: [KeyPathPattern.Step]) throws {
    #expect(try KeyPathPattern(text).steps == steps)
    #expect(try KeyPathPattern(text).description == text)
  }

  @Test(
    "a text that is no path is refused with its reason",
    arguments: [
      ("", .emptyStep), (".", .emptyStep), ("a.", .emptyStep), ("a..b", .emptyStep),
      ("[]", .misplacedBracket), ("a[0]", .misplacedBracket), ("a[", .misplacedBracket), ("a[][", .misplacedBracket),
      ("a[]b", .textAfterBrackets), (#"a\"#, .unknownEscape), (#"a\n"#, .unknownEscape),
      (String(repeating: "a.", count: 32) + "a", .tooManySteps),
    ] as [(String, KeyPathPattern.SyntaxError)])
  func refused(text: String, reason: KeyPathPattern.SyntaxError) {
    #expect(throws: reason) { try KeyPathPattern(text) }
  }
}
