import DualSendCore
import Testing

@testable import DualSendCodeGeneration

@Suite("Swift names", .timeLimit(.minutes(5)))
struct SwiftNameTests {
  @Test(
    "follow the words of a text",
    arguments: [
      ("home.like_button.tap", "HomeLikeButtonTap", "homeLikeButtonTap"), ("item_id", "ItemID", "itemID"),
      ("itemURL", "ItemURL", "itemURL"), ("HOME TAP", "HomeTap", "homeTap"), ("id", "ID", "id"),
      ("2fa", "_2fa", "_2fa"), ("...", "_2e_2e_2e", "_2e_2e_2e"), ("カート", "カート", "カート"),
    ])
  func words(_ text: String, _ type: String, _ member: String) {
    #expect(SwiftName.type(text) == type)
    #expect(SwiftName.member(text) == member)
  }

  @Test("make way for what an event has already", arguments: ["name", "parameters", "self", "init"])
  func reserved(_ key: String) {
    #expect(SwiftName.member(key) == key + "Parameter")
  }

  @Test(
    "do not hide the types that generated code names",
    arguments: ["string", "date", "event_value", "Typed event", "case iterable"])
  func types(_ name: String) {
    #expect(SwiftName.type(name).hasSuffix("Event"))
    #expect(!SwiftName.reservedTypes.contains(SwiftName.type(name)))
  }

  @Test("of closed values are cases that an optional does not take for its own")
  func cases() {
    #expect(SwiftName.enumCase("none") == "noneValue")
    #expect(SwiftName.enumCase(-1) == "minus1")
    #expect(SwiftName.enumCase("") == "empty")
  }

  @Test(
    "that people choose are plain identifiers",
    arguments: ["", "_", "1a", "a b", "é", "class", "name", "a\u{301}", "A;B"])
  func chosen(_ name: String) {
    #expect(!SwiftName.isMember(name))
  }
}
