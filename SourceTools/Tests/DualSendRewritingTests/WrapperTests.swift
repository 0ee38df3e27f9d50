import Testing

/// Functions between a call and the logger, written out where they are called.
@Suite("dualsend rewrite finish: functions that log")
struct WrapperTests {
  private static let app = """
    protocol Logger { func logEvents(name: String, parameters: [[String: Any]]) }
    extension Logger {
      func track(_ name: String, _ own: [String: Any] = [:]) { logEvents(name: name, parameters: [own]) }
      func tap(_ name: String, at position: Int = 7) { track(name, ["pos": String(position), "n": 1]) }
      func guarded(_ name: String) {
        guard !name.isEmpty else { return }
        track(name)
      }
    }
    enum Shared {
      static func of(_ count: Int) -> [String: Any] { ["n": count, "title": "shared"] }
      static func doubles(_ share: Double) -> [String: Double] { ["n": 1, "id": share] }
      static var all: [String: Any] { ["debug": "x", "title": "all"] }
      static func counted(_ count: Int) -> [String: Any] {
        let own: [String: Any] = ["n": count]
        return own.merging(["title": "shared"]) { _, new in new }
      }
    }
    func bump() -> Int { 1 }
    struct Screen {
      let l: any Logger
      let id: Int
      func log(_ name: String, n: Int) { l.logEvents(name: name, parameters: [["id": id, "n": n]]) }

    """

  private func rewriting(_ body: String) throws -> Rewriting {
    try Rewriting(Self.app + "  func work(x: Int, flag: Bool, other: Screen) {\n    \(body)\n  }\n}\n")
  }

  @Test(
    "writes a function out that does nothing but log",
    arguments: [
      (#"l.tap("shown", at: x)"#, #"["position": x, "count": 1]"#),
      (#"l.tap("shown")"#, #"["position": 7, "count": 1]"#),
      (#"l.track("shown")"#, "[:]"),
      (#"log("shown", n: x)"#, #"["item": ["id": id] as [String: any Sendable], "count": x]"#),
      (#"self.log("shown", n: x)"#, #"["item": ["id": self.id] as [String: any Sendable], "count": x]"#),
      (#"l.track("shown", Shared.of(x))"#, #"["count": x, "headline": "shared"]"#),
      (#"l.track("shown", Shared.counted(x))"#, #"["count": x, "headline": "shared"]"#),
      (#"l.track("shown", Shared.of(x).merging(Shared.all) { _, new in new })"#, #"["count": x, "headline": "all"]"#),
      (#"l.track("shown", Shared.of(bump()))"#, #"["count": bump(), "headline": "shared"]"#),
      (
        "let shared = Shared.of(x)\n    l.track(\"shown\", shared.merging([\"id\": 2]) { shared, _ in shared })",
        #"["count": x, "headline": "shared", "item": ["id": 2] as [String: any Sendable]]"#
      ),
    ])
  func writtenOut(body: String, payload: String) throws {
    let rewriting = try rewriting(body)
    #expect(rewriting.left == [])
    let flat = [
      "\n        ": " ", ",\n      ]": "]", "(\n      name": "(name", ",\n      payload": ", payload",
    ].reduce(rewriting.text) { $0.replacing($1.key, with: $1.value) }.replacing("[ \"", with: "[\"")
    let expected = "other: Screen) {\n    t.sendLog(name: \"home.shown\", payload: \(payload))\n  }\n}\n"
    #expect(flat.hasSuffix(expected), "\(flat.suffix(240))")
  }

  @Test(
    "leaves a function that does more, and says why",
    arguments: [
      (#"l.guarded("shown")"#, "does more than log"),
      (#"l.track("shown", Shared.doubles(1.5))"#, "gets its type from where it is declared"),
      ("let own = [\"n\": 1, \"id\": 2.5]\n    l.track(\"shown\", own)", "gets its type from where it is declared"),
      (#"l.track("shown", ["a": ["b": 1, "c": 2.5]])"#, "gets its type from where it is declared"),
      (#"_ = l.track("shown")"#, "something is done with what it brings back"),
      (#"try l.track("shown")"#, "it may throw"),
      (#"other.log("shown", n: x)"#, "is called on what is no logger"),
      (#"l.track("shown", ["debug": bump()])"#, "another moment"),
      (#"l.track("shown", ["n": flag ? bump() : 1].merging(["n": 2]) { $1 })"#, "another moment"),
      (
        "let a = Shared.of(x)\n    let b = bump()\n    l.track(\"shown\", a.merging([\"id\": b]) { a, _ in a })",
        "worked out between"
      ),
    ])
  func left(body: String, reason: String) throws {
    let rewriting = try rewriting(body)
    #expect(rewriting.count == 0, "\(rewriting.text.suffix(240))")
    #expect(rewriting.left.contains { $0.contains(reason) }, "\(rewriting.left)")
  }

  @Test("takes a constant away that held an old name, and only such a one")
  func spare() throws {
    let gone = try rewriting("let name = \"shown\"\n    l.track(name, [\"n\": x])")
    #expect(gone.text.contains("other: Screen) {\n    t.sendLog("), "\(gone.text.suffix(240))")
    let read = try rewriting("let count = x + 1\n    l.track(\"shown\", [\"n\": count])")
    #expect(read.text.contains("let count = x + 1\n    t.sendLog("), "\(read.text.suffix(240))")
    let made = try rewriting("let count = bump()\n    l.track(\"shown\", [\"debug\": count])")
    #expect(made.text.contains("let count = bump()\n    t.sendLog("), "\(made.text.suffix(240))")
  }

  @Test("says whose member a name is where the call site has another value of that name")
  func shadowed() throws {
    let rewriting = try rewriting("let id = 5\n    print(id)\n    log(\"shown\", n: x)")
    #expect(rewriting.text.contains("[\"id\": self.id]"), "\(rewriting.text.suffix(240))")
  }

  @Test(
    "writes a chosen name with both new ones, if the table says the same of them",
    arguments: [
      (
        #"l.track(flag ? "on" : "off", ["n": x])"#,
        #"t.sendLog(name: flag ? "switched.on" : "switched.off", payload: ["count": x])"#
      ),
      (#"l.track(flag ? "on" : "other", ["n": x])"#, #"l.track(flag ? "on" : "other", ["n": x])"#),
    ])
  func chosenName(body: String, expected: String) throws {
    #expect(try rewriting(body).text.contains("    \(expected)\n"))
  }
}
