import DualSendCore
import Testing

@Suite("A path", .timeLimit(.minutes(5)))
struct EventPathTests {
  @Test(
    "has a dotted form that a table reads back, and a quoted form for people",
    arguments: [
      ([], "", ""), ([.key("a")], "a", "a"), ([.key("screen"), .key("name")], "screen.name", "screen.name"),
      ([.key("items"), .index(3), .key("id")], "items[3].id", "items[3].id"),
      ([.index(0), .key("a")], "[0].a", "[0].a"),
      ([.index(0), .index(1)], "[0][1]", "[0][1]"),
      ([.key("events"), .key("home.tap"), .key("p")], #"events.home\.tap.p"#, #"events."home.tap".p"#),
      ([.key(#"a\b"#)], #"a\\b"#, #""a\\b""#), ([.key("a[0]")], #"a\[0\]"#, #""a[0]""#),
      ([.key("é")], "é", #""é""#), ([.key("two words")], "two words", #""two words""#),
      ([.key("")], "", #""""#), ([.key(""), .key("a")], ".a", #""".a"#), ([.key("a"), .key("")], "a.", #"a."""#),
      ([.key("$schema"), .key("*"), .key("a-b_C9")], "$schema.*.a-b_C9", "$schema.*.a-b_C9"),
    ] as [([EventPath.Step], String, String)])
  func forms(_ steps: [EventPath.Step], _ dotted: String, _ quoted: String) {
    #expect(EventPath(steps).description == dotted)
    #expect(EventPath(steps).quotedDescription == quoted)
  }

  @Test("grows by keys and array positions")
  func appending() {
    #expect(EventPath().appending("a").appending(2).appending("b").steps == [.key("a"), .index(2), .key("b")])
  }

  @Test("sorts by its dotted form")
  func order() {
    let paths = ["a", "a.b", "b"].map { EventPath($0.split(separator: ".").map { .key(String($0)) }) }
    #expect(paths.reversed().sorted() == paths)
  }
}
