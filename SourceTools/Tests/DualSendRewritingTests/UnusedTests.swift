import DualSendRemapping
import DualSendRewriting
import DualSendSource
import Testing

/// What a rewrite leaves behind.
@Suite("dualsend rewrite finish: what nothing uses any longer")
struct UnusedTests {
  private func unused(_ before: String, after: String, beside: String = "") -> [String] {
    let old = SourceTexts([(path: "App.swift", text: before), (path: "Other.swift", text: beside)])
    let new = SourceTexts([(path: "App.swift", text: after), (path: "Other.swift", text: beside)])
    return UnusedDeclarations(before: old, after: new, threads: 1).all.map {
      "\($0.line) \($0.kind.rawValue) \($0.qualifiedName)"
    }
  }

  private static let event = """
    enum Event {
      case shown(id: Int)
      case tapped
      var name: String { switch self { case .shown: Names.shownName; case .tapped: "tapped" } }
    }
    enum Names { static let shownName = "shown" }
    func send(_ event: Event) {}
    func never() {}

    """

  @Test("lists a type with all that only it uses, and a function that lost its calls")
  func type() {
    let after = Self.event + "func work() { t.sendLog(name: \"shown\") }\n"
    #expect(
      unused(Self.event + "func work() { send(.shown(id: 1)) }\n", after: after) == [
        "1 type Event", "6 type Names", "7 function send",
      ])
  }

  @Test("lists a case of a type that stays")
  func enumCase() {
    let rest = "func rest() { send(.tapped) }\n"
    #expect(
      unused(Self.event + rest + "func work() { send(.shown(id: 1)) }\n", after: Self.event + rest)
        == ["2 case Event.shown"])
  }

  @Test(
    "keeps what stands anywhere by its name",
    arguments: [
      "func f() { send(.shown(id: 2)) }", "extension Event { var f: Self { .shown(id: 1) } }\nlet f = send",
      "let shown = 1, send = 2, Event = 3",
    ])
  func kept(beside: String) {
    let unused = unused(
      Self.event + "func work() { send(.shown(id: 1)) }\n", after: Self.event, beside: beside)
    #expect(!unused.contains { $0.contains("Event") || $0.contains("send") || $0.contains("shown") }, "\(unused)")
  }

  @Test("lists nothing that was not used before, and nothing where nothing changed")
  func notBefore() {
    let text = Self.event + "func work() { send(.shown(id: 1)) }\n"
    #expect(unused(text, after: text) == [])
    #expect(!unused(text, after: Self.event).contains { $0.contains("never") })
  }

  @Test("keeps what others may call without its name: overrides, attributes, what is public")
  func others() {
    let before = "class A { override func one() {} @objc func two() {} public func three() {} func four() {} }\n"
    let calls = "func w(a: A) { a.one(); a.two(); a.three(); a.four() }\n"
    #expect(unused(before + calls, after: before + "func w(a: A) {}\n") == ["1 function A.four"])
  }
}
