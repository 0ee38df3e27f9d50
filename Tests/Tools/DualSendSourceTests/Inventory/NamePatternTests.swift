import DualSendSource
import Testing

@Suite("A pattern of event names", .timeLimit(.minutes(5)))
struct NamePatternTests {
  @Test(
    "fits what its stars can stand for, and nothing else",
    arguments: [
      ("home.*", "home.", true), ("home.*", "home.tap", true), ("home.*", "hom", false), ("*", "", true),
      ("*.tap", "a.tap.tap", true), ("*.tap", "a.tapp", false), ("a*b*c", "abbc", true), ("a*b*c", "ac", false),
      ("a*bc*bc", "abc", false), ("a*bc*bc", "abcbc", true), (#"a\*"#, "a*", true), (#"a\*"#, "ab", false),
      (#"a\\*"#, #"a\b"#, true), ("é*", "e\u{301}x", false), ("**", "x", true), ("x*x", "x", false),
    ])
  func fits(pattern: String, name: String, fits: Bool) {
    #expect(SentEvent(name: pattern, isPattern: true).mayBeNamed(name) == fits)
  }

  @Test("is a name like any other where it is not said to be a pattern")
  func plain() {
    #expect(SentEvent(name: "a*").mayBeNamed("a*"))
    #expect(!SentEvent(name: "a*").mayBeNamed("ab"))
  }
}
