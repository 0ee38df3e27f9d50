import DualSendRemapping
import DualSendRewriting
import DualSendSource
import Testing

@Suite("dualsend rewrite finish")
struct FinishTests {
  private func line(_ body: String) throws -> (text: String?, left: [String]) {
    let rewriting = try Rewriting(
      ("App.swift", "func work(logger: any EventLogger, n: Int, text: String, flag: Bool) {\n  \(body)\n}\n"))
    let text = rewriting.changed["App.swift"].map {
      $0.split(separator: "\n").dropFirst().dropLast().joined(separator: "\n")
    }
    return (text.map { String($0.trimmingPrefix("  ")) }, rewriting.left)
  }

  @Test(
    "edits names, keys and the function where they stand, and nothing else",
    arguments: [
      (
        #"logger.logEvents(name: "shown", parameters: [["id": text, "x":  1]])"#,
        #"t.sendLog(name: "home.shown", payload: ["item_id": text, "x":  1])"#
      ),
      (
        #"logger.logEvents(name: "shown", parameters: [["box": ["w": n]]])"#,
        #"t.sendLog(name: "home.shown", payload: ["box": ["width": n] as [String: any Sendable]])"#
      ),
      (
        #"logger.logEvents(name: "on", parameters: [["n": 1], ["n": 2]])"#,
        #"t.sendLogs(name: "switched.on", payloads: [["count": 1], ["count": 2]])"#
      ),
      (#"logger.logEvents(name: "off")"#, #"t.sendLog(name: "switched.off", payload: [:])"#),
      (
        #"logger.logEvents(name: flag ? "on" : "off", parameters: [[:]])"#,
        #"t.sendLog(name: flag ? "switched.on" : "switched.off", payload: [:])"#
      ),
      (
        "logger.logEvents(\n    name: \"on\", // why\n    parameters: [\n      [\"n\": 1]\n    ])",
        "t.sendLog(\n    name: \"switched.on\", // why\n    payload: [\"count\": 1])"
      ),
      (#"a.track("shown", ["id": n])"#, #"a.track("home.shown", ["item_id": n])"#),
      (
        #"var p: [String: Any] = ["id": n]; if flag { p["n"] = 1 }; a.track("shown", p)"#,
        #"var p: [String: Any] = ["item_id": n]; if flag { p["count"] = 1 }; a.track("home.shown", p)"#
      ),
    ])
  func edited(body: String, expected: String) throws {
    let (text, left) = try line(body)
    #expect(text == expected)
    #expect(left == [])
  }

  @Test(
    "leaves a call that takes more than renaming, and says why",
    arguments: [
      (#"logger.logEvents(name: text, parameters: [["a": 1]])"#, "the name: any string"),
      (#"a.track("dropping", ["debug": 1])"#, "drops `debug`"),
      (#"a.track("adding", [:])"#, "adds `schema`"),
      (#"a.track("converting", ["pos": text])"#, "converts `pos`"),
      (#"a.track("moving", ["sku": 1])"#, "moves `sku` to `item.id`"),
      (#"a.track("sh" + "own", [:])"#, "`shown` is put together"),
      (#"let p = ["n": 1]; logger.logEvents(name: "on", parameters: [p])"#, "put together before"),
      (#"makeLogger().logEvents(name: "on", parameters: [["n": 1]])"#, "may do more than name a logger"),
      (#"Optional(logger)?.logEvents(name: "on", parameters: [["n": 1]])"#, "may do more than name a logger"),
      (#"let k = "n"; a.track("on", [k: 1]); a.track("other", [k: 1])"#, "`n` stands once for several calls"),
      (#"let k = "off"; a.track(k, ["kind": k])"#, "`off` stands once for several calls"),
    ])
  func left(body: String, reason: String) throws {
    let (text, left) = try line(body)
    #expect(text == nil)
    #expect(left.first?.contains(reason) == true, "\(left)")
  }

  private static let events = """
    enum Event: String { case shown, turnedOn = "on", off }
    enum Keys { static let n = "n" }

    """

  @Test("edits raw values and constants once, where they are declared")
  func declared() throws {
    let rewriting = try Rewriting(
      ("Events.swift", Self.events),
      (
        "App.swift",
        "func f() { a.track(Event.shown.rawValue, [\"id\": 1]); a.track(Event.turnedOn.rawValue, [Keys.n: 1]) }\n"
      ))
    #expect(
      rewriting.changed["Events.swift"] == """
        enum Event: String { case shown = "home.shown", turnedOn = "switched.on", off }
        enum Keys { static let n = "count" }

        """)
    #expect(rewriting.changed["App.swift"]?.contains(#"["item_id": 1]"#) == true)
    #expect(rewriting.left == [])
  }

  @Test("leaves a constant that other code reads")
  func usedElsewhere() throws {
    let rewriting = try Rewriting(
      ("Events.swift", Self.events), ("App.swift", "func f() { a.track(\"on\", [Keys.n: 1]) }\n"),
      ("Store.swift", "func g() { UserDefaults.standard.set(1, forKey: Keys.n) }\n"))
    #expect(rewriting.changed == [:])
    #expect(rewriting.left.first?.contains("`Keys.n` is used elsewhere, too") == true)
  }

  @Test("imports the tracker's module where a call becomes the tracker's")
  func imports() throws {
    let rewriting = try Rewriting(
      ("App.swift", "import UIKit\n\nfunc f(l: L) { l.logEvents(name: \"off\") }\n"), module: "DualSend")
    #expect(rewriting.changed["App.swift"]?.hasPrefix("import UIKit\nimport DualSend\n\nfunc") == true)
  }

  @Test("changes nothing else, byte for byte")
  func everythingElse() throws {
    let before =
      "// é\r\nfunc f(l: any L) {\r\n\tl.logEvents(name: \"on\", parameters: [[\"n\": 1]]) // stays\r\n}\t\r\n"
    let after = try Rewriting(("A.swift", before)).changed["A.swift"]
    #expect(
      after?.utf8.elementsEqual(
        before.replacing(
          "l.logEvents(name: \"on\", parameters: [[\"n\": 1]])",
          with: "t.sendLog(name: \"switched.on\", payload: [\"count\": 1])"
        ).utf8) == true)
  }

  @Test("puts a function around the place where the logger is made, once")
  func wrap() throws {
    let text = "let logger = try JSONLogger(\n  url)\nlet other = Box(JSONLogger.init(b))\n"
    let function = try #require(WrappingFunction("Telemetry.dualSend(wrapping:)"))
    let once = LoggerWrap(SourceTexts([(path: "A.swift", text: text)]), type: "JSONLogger", function: function)
    let expected = """
      let logger = try Telemetry.dualSend(wrapping: JSONLogger(
        url))
      let other = Box(Telemetry.dualSend(wrapping: JSONLogger.init(b)))

      """
    #expect(once.changed["A.swift"] == expected)
    let twice = LoggerWrap(SourceTexts([(path: "A.swift", text: expected)]), type: "JSONLogger", function: function)
    #expect(twice.count == 0)
  }

  @Test("prints differences that patch understands")
  func diff() {
    let old = (1...12).map { "line \($0)\n" }.joined()
    let new = old.replacing("line 3\n", with: "line three\n").replacing("line 12\n", with: "line 12")
    #expect(
      UnifiedDiff("A.swift", from: old, to: new).text == """
        --- a/A.swift
        +++ b/A.swift
        @@ -1,6 +1,6 @@
         line 1
         line 2
        -line 3
        +line three
         line 4
         line 5
         line 6
        @@ -9,4 +9,4 @@
         line 9
         line 10
         line 11
        -line 12
        +line 12
        \\ No newline at end of file

        """)
  }
}
