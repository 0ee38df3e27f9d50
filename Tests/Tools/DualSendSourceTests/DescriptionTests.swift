import DualSendCore
import Foundation
import Testing

@testable import DualSendSource

/// What a team says of its own functions: the properties of their events, and the rules of their texts.
@Suite("Described functions", .timeLimit(.minutes(5)))
struct DescriptionTests {
  /// The places of a source in which `track(_:)` takes an event.
  private func places(_ nameProperty: String, _ source: String) throws -> [CallSite] {
    let description = """
      {"formatVersion": 1, "calls": [{"function": "track(_:)", "event": 0, "nameProperty": "\(nameProperty)"}]}
      """
    let functions = try LoggingFunction.functions(reading: description.utf8, name: nil)
    return Sources(source).inventory(functions: functions).inventory.callSites
  }

  private static let event = """
    struct Event { let name: Name; var parameters: [String: Any] = [:] }
    func track(_ event: Event) { sdk.send(event.name.rawValue, event.parameters) }

    """

  @Test(
    "reads an event's name through a path of properties",
    arguments: [
      ("enum Name: String { case open = \"app_open\", close }", "track(Event(name: .open))", "exact app_open()"),
      ("enum Name: String { case open = \"app_open\", close }", "track(.init(name: .close))", "exact close()"),
      (
        "struct Name: RawRepresentable { let rawValue: String; static let open = Name(rawValue: \"app_open\") }",
        "track(Event(name: .open, parameters: [\"at\": 1]))", "exact app_open(at)"
      ),
      (
        "enum Name: String { case open, close }", "track(Event(name: isOpen ? .open : .close))", "exact close() open()"
      ),
    ])
  func path(type: String, call: String, expected: String) throws {
    let found = try places("name.rawValue", Self.event + type + "\nfunc f(isOpen: Bool) { \(call) }")
    #expect(found.map(\.summary) == [expected], "\(found.map(\.open))")
  }

  @Test("follows a function that makes the event, to its callers")
  func wrapper() throws {
    let source = """
      enum Name: String { case open = "app_open" }
      func tap(_ name: Name) { track(Event(name: name)) }
      func f() { tap(.open) }
      """
    let found = try places("name.rawValue", Self.event + source)
    #expect(found.map(\.summary) == ["exact app_open()"] && found.map(\.via) == [["tap(_:)"]])
  }

  @Test(
    "is not sure of a raw value that is none of the enum's texts",
    arguments: [
      "enum Name: String { case open; var rawValue: String { make() } }",
      "enum Name: String { case open }; extension Name { var rawValue: String { make() } }",
      "enum Name { case open; var rawValue: String { make() } }", "enum Name: Int { case open = 1 }",
      "enum Name { case open }", "enum Name: Text { case open }", "enum Name: String { case open = \"\\(1)\" }",
      "struct Name { let rawValue = make(); static let open = Name() }",
      "struct Name { var rawValue: String; static var open = Name(rawValue: \"open\") }",
    ])
  func notExact(type: String) throws {
    let found = try places("name.rawValue", Self.event + type + "\nfunc f() { track(Event(name: .open)) }")
    #expect(found.count == 1 && found.allSatisfy { $0.certainty != .exact }, "\(found.map(\.summary))")
  }

  @Test("says how to describe an event whose name has a raw value")
  func wayOut() throws {
    let call = "\nfunc f() { track(Event(name: .open)) }"
    let raw = try places("name", Self.event + "enum Name: String { case open }" + call)
    #expect(raw.map(\.certainty) == [.dynamic])
    #expect(
      raw.flatMap(\.open) == [
        "the name: `name` has a raw value: if the function logs that, describe it as `name.rawValue`"
      ])
    let plain = try places("name", Self.event + "enum Name { case open }" + call)
    #expect(plain.flatMap(\.open).contains { $0.contains("rawValue") } == false)
  }

  @Test(
    "refuses what is no path of properties, with the place and the way out",
    arguments: ["", "name.", ".a", "a..b", "a b", "a()", "1"])
  func noPath(text: String) {
    let error = #expect(throws: DocumentError.self) { try places(text, "") }
    let finding = error?.diagnostics.first
    #expect(finding?.code == .invalidLoggingFunction)
    #expect(finding?.message == "`\(text)` is no property")
    #expect(finding?.path.description == "calls[0].nameProperty" && finding?.position?.line == 1)
    #expect(finding?.help == "write the property's name, or names joined by dots: `name.rawValue`")
  }

  // MARK: Names, keys and types

  private func functions(_ calls: String...) throws -> [LoggingFunction] {
    try LoggingFunction.functions(
      reading: #"{"formatVersion": 1, "calls": [\#(calls.joined(separator: ", "))]}"#.utf8, name: nil)
  }

  private static let types = """
    enum Name: String { case open = "app_open" }
    enum Key: String { case id = "item_id", at }
    func log(_ name: Name, _ keys: [String: Any]) { sdk.send(name.rawValue, keys) }
    func put(_ name: String, _ keys: [Key: Any]) { sdk.send(name, keys.map { ($0.rawValue, $1) }) }
    struct AppEvent: TrackedEvent { let name: String; var parameters: [String: Any] = [:] }
    extension TrackedEvent where Self == AppEvent { static var cart: AppEvent { AppEvent(name: "cart") } }
    class Base { let name: String; init(_ name: String) { self.name = name } }
    final class Bare: Base {}

    """

  @Test(
    "reads names, keys and types as they are described",
    arguments: [
      (
        #""log(_:_:)", "name": 0, "nameProperty": "rawValue", "parameters": 1"#, "log(.open, [\"x\": 1])", "app_open(x)"
      ),
      (
        #""log(_:_:)", "name": 0, "nameProperty": "rawValue", "parameters": 1"#,
        "tap(.open) }; func tap(_ name: Name) { log(name, [:])", "app_open()"
      ),
      (#""screen(_:)", "name": 0, "fixedName": "screen_view", "textKey": "at""#, "screen(text)", "screen_view(at)"),
      (
        #""put(_:_:)", "name": 0, "parameters": 1, "keyProperty": "rawValue""#,
        "var p: [Key: Any] = [.id: 1]; p[.at] = 2; put(\"a\", p)", "a(at, item_id)"
      ),
      (#""track(_:)", "event": 0, "argumentType": "TrackedEvent""#, "tracker.track(.cart)", "cart()"),
      (#""track(_:)", "name": 0"#, "track(Bare(\"bare\").name)", "bare()"),
    ])
  func described(description: String, call: String, expected: String) throws {
    let functions = try functions(#"{"function": \#(description)}"#)
    let found = Sources(Self.types + "func f(text: String) { \(call) }").inventory(functions: functions)
    #expect(found.inventory.callSites.map(\.summary) == ["exact " + expected], "\(found.inventory.callSites)")
    let recall = found.recall
    #expect(recall.hits == recall.places + recall.followed + recall.others + recall.uncalled)
  }

  @Test("says how to describe keys that are an enum, and which descriptions fit one call")
  func open() throws {
    let keys = Sources(Self.types + "func f() { put(\"a\", [.id: 1]) }").inventory(
      functions: try functions(#"{"function": "put(_:_:)", "name": 0, "parameters": 1}"#))
    #expect(keys.inventory.callSites.map(\.summary) == ["partial a(item_id, …)"])
    #expect(keys.inventory.callSites[0].open[0].contains("describe it with `keyProperty`"))
    let several = Sources("func f() { x.log(\"a\", c: 1); x . log (\"b\", a: 1, c: 1) }").inventory(
      functions: try functions(
        #"{"function": "log(_:a:c:)", "name": 0}"#, #"{"function": "log(_:b:c:)", "name": 0}"#))
    #expect(several.inventory.callSites.map(\.summary) == ["partial a()", "exact b()"])
    #expect(
      several.inventory.callSites[0].open == ["`log(_:a:c:)` and `log(_:b:c:)` are described, and both fit the call"])
    #expect(several.recall == Recall(hits: 1, places: 1))
  }

  @Test(
    "refuses two descriptions of the same calls, and halves of one",
    arguments: [
      (#"{"function": "a(_:)", "name": 0}, {"function": "a(_:)", "event": 0}"#, "`a(_:)` is described twice"),
      (#"{"function": "a(_:)", "name": 0, "fixedName": "x"}"#, "`fixedName` and `textKey` need each other"),
      (#"{"function": "a(_:)", "name": 0, "keyProperty": "key"}"#, "keys cannot be read from `key`"),
    ])
  func refused(calls: String, message: String) throws {
    let error = #expect(throws: DocumentError.self) { try functions(calls) }
    #expect(error?.diagnostics.first?.message.hasPrefix(message) == true && error?.diagnostics.first?.help != nil)
    #expect(error?.diagnostics.map(\.code) == [.invalidLoggingFunction])
  }

  // MARK: Rules

  @Test(
    "takes capital letters in a row as one word",
    arguments: [
      ("tosAccepted", "tos_accepted"), ("TOSAccepted", "tos_accepted"), ("acceptTOS", "accept_tos"), ("TOS", "tos"),
      ("openURL", "open_url"), ("openURLBar", "open_url_bar"), ("userID2", "user_id2"),
      ("userID2Seen", "user_id2_seen"),
      ("viewA", "view_a"), ("aBTest", "a_b_test"), ("ItemAdded", "item_added"),
      ("URLs", "ur_ls"), ("item", "item"), ("", ""), ("überÄUßerung", "über_ä_ußerung"),
    ])
  func acronyms(text: String, expected: String) {
    #expect(TextRule.snakeAcronyms.text(text) == expected)
    #expect(TextRule.kebabAcronyms.text(text) == expected.replacing("_", with: "-"))
  }

  @Test("applies the rule that a description names for a property, and refuses another")
  func rules() throws {
    let source = """
      enum Legal: String { case acceptTOS }
      func f() { track(Legal.acceptTOS.rawValue.snakeCased) }
      """
    func description(_ rule: String) -> String {
      """
      {"formatVersion": 1, "rules": {"snakeCased": "\(rule)"}, "calls": [{"function": "track(_:)", "name": 0}]}
      """
    }
    let functions = try LoggingFunction.functions(reading: description("snake_case_acronyms").utf8, name: nil)
    let found = Sources(source).inventory(functions: functions).inventory.callSites
    #expect(found.map(\.summary) == ["exact accept_tos()"])
    let wrong = description("acronyms")
    let error = #expect(throws: DocumentError.self) { try LoggingFunction.functions(reading: wrong.utf8, name: nil) }
    #expect(
      error?.diagnostics.first?.help
        == "one of `snake_case`, `kebab-case`, `snake_case_acronyms`, `kebab-case-acronyms`")
  }

  private struct Converted: Encodable {
    struct Key: CodingKey {
      let stringValue: String
      let intValue: Int? = nil
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    let key: String

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(true, forKey: Key(stringValue: key))
    }
  }

  /// The key as Foundation's encoder writes it.
  private func converted(_ key: String) throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let object = try JSONSerialization.jsonObject(with: encoder.encode(Converted(key: key))) as? [String: Any]
    return try #require(object?.keys.first)
  }

  @Test("has the words of JSONEncoder, to which a text that starts with capital letters is the end of a longer one")
  func encoder() throws {
    let letters = "aaabcdeABCDEEE01_- äÄßéÉ\u{301}ǅΣσſⅣ한ª".map(String.init)
    var random = SplitMix64(seed: 49)
    for _ in 0..<5_000 {
      let text = (0..<Int.random(in: 1...9, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }
        .joined()
      let found = TextRule.snakeAcronyms.text(text)
      if text.unicodeScalars.first.map(CharacterSet.uppercaseLetters.contains) == true {
        #expect(try converted("x" + text) == "x_" + found, "\(text)")
      } else {
        #expect(try converted(text) == found, "\(text)")
      }
    }
  }
}
