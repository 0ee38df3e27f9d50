import DualSendRemapping
import DualSendRewriting
import DualSendSource
import Foundation
import Testing

@Suite("dualsend rewrite finish", .timeLimit(.minutes(5)))
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
        #"logger.logEvents(name: "forked", parameters: [["site id": n]])"#,
        #"t.sendLog(name: "forked", payload: ["site_id": n])"#
      ),
      (
        #"logger.logEvents(name: "on", parameters: [["n": 1], ["n": 2]])"#,
        #"t.sendLogs(name: "switched.on", payloads: [["count": 1], ["count": 2]])"#
      ),
      (#"logger.logEvents(name: "off")"#, #"t.sendLog(name: "switched.off")"#),
      (
        #"let p = ["n": 1]; logger.logEvents(name: "on", parameters: [p])"#,
        #"let p = ["count": 1]; t.sendLog(name: "switched.on", payload: p)"#
      ),
      (
        #"let p: [[String: Any]] = [["n": 1]]; logger.logEvents(name: "on", parameters: p)"#,
        #"let p: [[String: Any]] = [["count": 1]]; t.sendLogs(name: "switched.on", payloads: p)"#
      ),
      (
        #"logger.logEvents(name: flag ? "on" : "off", parameters: [[:]])"#,
        #"t.sendLog(name: flag ? "switched.on" : "switched.off", payload: [:])"#
      ),
      (
        "logger.logEvents(\n    name: \"on\", // why\n    parameters: [\n      [\"n\": 1]\n    ])",
        "t.sendLog(\n    name: \"switched.on\", // why\n    payload: [\"count\": 1])"
      ),
      (#"a.track("shown", ["id": n])"#, #"a.track("home.shown", ["item_id": n])"#),
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
      (
        #"logger.logEvents(name: "forked", parameters: [["siteId": 1, "site id": n]])"#,
        "`siteId` and `site id` both become `site_id`: send one of them"
      ),
      (#"a.track("dropping", ["debug": 1])"#, "may not take every value"),
      (#"logger.logEvents(name: "dropping", parameters: [["debug": next(), "n": 1]])"#, "computed by a call"),
      (
        #"let only = n; logger.logEvents(name: "dropping", parameters: [["debug": only, "n": 1]])"#,
        "the only use of `only`"
      ),
      (
        "logger.logEvents(name: \"dropping\", parameters: [[\n    \"debug\": 1, // why\n    \"n\": 1]])",
        "a comment stands beside"
      ),
      (#"let p = ["n": 1]; logger.logEvents(name: "adding", parameters: [p])"#, #"adds `"schema": 2`"#),
      (#"logger.logEvents(name: "converting", parameters: [["pos": text]])"#, "converts `text`"),
      (#"a.track("moving", ["sku": 1])"#, "may not take every value"),
      (#"logger.logEvents(name: "moving", parameters: [["ctx": ["screen": 1, "x": 2]]])"#, "moves a part of"),
      (#"a.track("tab_" + (flag ? "home" : "more"), [:])"#, "does not end the same"),
      (#"logger.logEvents(name: "on", parameters: [["n": 1, "count": 2]])"#, "moves `count` and `n` to `count`"),
      (
        #"logger.logEvents(name: "moving", parameters: [["sku": 1, "item": ["x": 2]]])"#,
        "into the dictionary of `item.x`"
      ),
      (#"logger.logEvents(name: "moving", parameters: [["sku": 1, "item": n]])"#, "one inside the other"),
      (
        #"logger.logEvents(name: "emptied", parameters: [["a": 1]])"#,
        "drops all keys of its dictionary and adds others"
      ),
      (#"a.track("swapping", ["a": 1])"#, "would change `swapping` again"),
      (#"a.track("tab_" + "on", [:])"#, "does not end the same"),
      (
        #"var p: [String: Any] = ["id": n]; if flag { p["n"] = 1 }; a.track("shown", p)"#,
        "`id` is written in App.swift:2, where other code may use it"
      ),
      (#"makeLogger().logEvents(name: "on", parameters: [["n": 1]])"#, "may do more than name a logger"),
      (#"Optional(logger)?.logEvents(name: "on", parameters: [["n": 1]])"#, "may do more than name a logger"),
      (#"let k = "n"; a.track("on", [k: 1]); a.track("other", [k: 1])"#, "`n` stands once for several calls"),
      (#"let k = "off"; a.track(k, ["kind": k])"#, "`k` is also used in App.swift:2"),
    ])
  func left(body: String, reason: String) throws {
    let (text, left) = try line(body)
    #expect(text == nil)
    #expect(left.first?.contains(reason) == true, "\(left)")
  }

  @Test(
    "drops, adds, converts and moves elements where their dictionary stands",
    arguments: [
      (#"["debug": 1, "n": n]"#, "dropping", #"["n": n]"#),
      (#"["n": n, "debug": 1]"#, "dropping", #"["n": n]"#),
      (#"["debug": 1]"#, "dropping", "[:]"),
      ("[\n      \"n\": n,\n      \"debug\": 1,\n    ]", "dropping", "[\n      \"n\": n,\n    ]"),
      ("[\n      \"debug\": 1,\n      \"n\": n\n    ]", "dropping", "[\n      \"n\": n\n    ]"),
      (#"["box": ["w": 1, "h": n]]"#, "dropping", #"["box": ["h": n] as [String: any Sendable]]"#),
      (#"["n": n]"#, "adding", #"["n": n, "schema": 2]"#),
      (#"["schema": 1, "n": n]"#, "adding", #"["schema": 2, "n": n]"#),
      (#"["n": ["a": n]]"#, "adding", #"["n": ["a": n] as [String: any Sendable], "schema": 2]"#),
      (#"["schema": 1, "n": n]"#, "setting", #"["schema": 2, "n": n]"#),
      ("[:]", "adding", #"["schema": 2]"#),
      ("[\n      \"n\": n,\n    ]", "adding", "[\n      \"n\": n,\n      \"schema\": 2,\n    ]"),
      (#"["pos": "3"]"#, "converting", #"["position": 3]"#),
      (#"["pos": n]"#, "converting", #"["position": n]"#),
      (#"["pos": String(n)]"#, "converting", #"["position": n]"#),
      (#"["pos": flag ? "1" : "2"]"#, "converting", #"["position": flag ? 1 : 2]"#),
      (#"["liked": flag ? "1" : "0"]"#, "converting", #"["is_liked": flag]"#),
      (#"["liked": n > 1 ? "0" : "1"]"#, "converting", #"["is_liked": !(n > 1)]"#),
      (#"["n": n, "sku": text]"#, "moving", #"["n": n, "item": ["id": text]]"#),
      (
        #"["sku": text, "n": n, "price": 1]"#, "moving",
        #"["item": ["id": text, "price": 1] as [String: any Sendable], "n": n]"#
      ),
      (#"["ctx": ["screen": text, "app": "x"]]"#, "moving", #"["screen": text, "app": ["name": "x"]]"#),
    ])
  func elements(dictionary: String, event: String, expected: String) throws {
    let (text, left) = try line("logger.logEvents(name: \"\(event)\", parameters: [\(dictionary)])")
    let name = event == "adding" ? "added" : event
    #expect(text == "t.sendLog(name: \"\(name)\", payload: \(expected))")
    #expect(left == [])
  }

  @Test("adds to a call without parameters")
  func statements() throws {
    #expect(try line(#"logger.logEvents(name: "adding")"#).text == #"t.sendLog(name: "added", payload: ["schema": 2])"#)
    #expect(try line(#"a.track("adding")"#).text == #"a.track("added", ["schema": 2])"#)
  }

  /// Each value goes somewhere else, too.
  @Test(
    "leaves what other code uses, and names the place",
    arguments: [
      ("let name = \"on\"; show(name); a.track(name, [:])", "`name` is also used in App.swift:"),
      ("let p = [\"n\": 1]; api.post(p); a.track(\"on\", p)", "`p` is also used in App.swift:"),
      ("let p = [\"n\": 1]; a.track(\"on\", p.merging([:]) { $1 })", "`p` is also used in App.swift:"),
      ("a.track(title(\"on\"), [:])", ""),
      ("open(\"on\")", "`open` also uses `name` in Page.swift:2"),
      ("deep(\"on\")", "`open` also uses `name` in Page.swift:2"),
      ("a.track(Tab.on.rawValue, [:])", "`Tab.on` is used elsewhere, too, in Page.swift:5"),
      ("a.track(\"on\", [Item.CodingKeys.n.rawValue: 1])", "`CodingKeys` uses its texts itself"),
      ("a.track(Mode.on.rawValue, [:])", "`Mode` uses its texts itself"),
      ("a.track(Names.on, [:])", "`Names.on` is a constant"),
      ("sent(\"on\")", "`sent` also uses `name` in Page.swift:11"),
      ("Row(name: \"on\")", ""),
      ("a.track(Kind.on.rawValue, [\"kind\": Kind.off.rawValue])", "`Kind.on` is used elsewhere, too, in App.swift:2"),
      ("named(Sort.on)", "`named` also uses `it` in Page.swift:14"),
      ("plain(Part.on); plain(.init(rawValue: text)!)", "`Part.on` is used elsewhere, too, in App.swift:2"),
    ])
  func otherUses(body: String, reason: String) throws {
    let page = """
      extension Screen {
        func open(_ name: String) { present(storyboard: name); a.track(name, [:]) }
        func deep(_ it: String) { open(it) }
        func title(_ text: String) -> String { text }
        func image(_ tab: Tab) -> Image { Image(named: tab.rawValue) }
      }
      enum Tab: String { case on, off }
      enum Mode: String { case on; var title: String { rawValue } }
      enum Names { static let on = "on" }
      struct Item: Codable { enum CodingKeys: String, CodingKey { case n } }
      func sent(_ name: String) { a.track(name, ["screen": name]) }
      struct Row { init(name: String) { show(name); a.track(name, [:]) } }
      enum Kind: String { case on, off }
      func named(_ it: Sort) { a.track(it.rawValue, ["sort": it.rawValue]) }
      enum Sort: String { case on }
      enum Part: String { case on }
      func plain(_ it: Part) { a.track(it.rawValue, [:]) }

      """
    let app = "final class Screen {\n  func f() { \(body) }\n}\n"
    let rewriting = try Rewriting(("App.swift", app), ("Page.swift", page))
    #expect(rewriting.changed == [:], "\(rewriting.changed)")
    #expect(!rewriting.left.isEmpty)
    #expect(rewriting.left.contains { reason.isEmpty || $0.contains(reason) }, "\(rewriting.left)")
  }

  @Test(
    "leaves each file whose texts go elsewhere as it is",
    arguments: ["StoredKey", "Storyboard", "TabImage", "Identifier", "RequestBody", "Presenting"])
  func elsewhere(file: String) throws {
    let plan = try Self.plan(file)
    #expect(plan.changed == [:])
    #expect(!plan.left.isEmpty && plan.left.allSatisfy { !$0.reason.isEmpty })
  }

  @Test("changes calls beside comments, in closures and after `try?`, and leaves the comments")
  func comments() throws {
    let changed = try #require(Self.plan("Comments").changed["Comments.swift"])
    for text in ["// the old one", "/* sic */", "// id of the item", #""item_id": id, //"#, #"try? t.sendLog("#] {
      #expect(changed.contains(text), "\(text)")
    }
    #expect(changed.contains(#"{ t.sendLog(name: "home.view", payload: ["item_id": 1]) } }"#))
  }

  private static func plan(_ file: String) throws -> FinishPlan {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/Sources/Elsewhere")
    let texts = SourceTexts([
      (
        path: file + ".swift",
        text: try String(contentsOf: folder.appending(path: file + ".swift.txt"), encoding: .utf8)
      )
    ])
    return try FinishPlan(
      texts, SourceInventory(texts, functions: LoggingFunction.known),
      table: RemappingTable(Data(contentsOf: folder.appending(path: "table.json")), name: nil), tracker: "t",
      functions: LoggingFunction.known, threads: 1)
  }

  @Test("leaves a key that the function behind the call reads by its text")
  func readByForwarder() throws {
    let log = """
      func track(_ name: String, _ p: [String: Any]) {
        if p["n"] != nil { count(p) }
      }

      """
    let rewriting = try Rewriting(("Log.swift", log), ("App.swift", "func f() { a.track(\"on\", [\"n\": 1]) }\n"))
    #expect(rewriting.changed == [:])
    #expect(rewriting.left.first?.contains("`track` also uses `p` in Log.swift:2") == true)
  }

  @Test("makes a function between call the tracker once all that go through it are renamed")
  func forwarders() throws {
    let page = """
      struct Page {
        let logger: any EventLogger
        func show() { log("on", ["n": 1]) }
        func hide() { log("off", [:]) }
        private func log(_ name: String, _ p: [String: Any]) { logger.logEvents(name: name, parameters: [p]) }
      }

      """
    let all = try Rewriting(("Page.swift", page))
    #expect(
      all.changed["Page.swift"]
        == page.replacing("log(\"on\", [\"n\"", with: "log(\"switched.on\", [\"count\"")
        .replacing("log(\"off\"", with: "log(\"switched.off\"")
        .replacing("logger.logEvents(name: name, parameters: [p])", with: "t.sendLog(name: name, payload: p)"))
    let other = page.replacing("func hide() { log(\"off\", [:]) }", with: "func hide(s: String) { log(s, [:]) }")
    let some = try Rewriting(("Page.swift", other))
    #expect(some.changed == [:])
    #expect(some.left.contains { $0.contains("it goes through `log`, as do calls that stay") })
  }

  @Test("moves the lines of a payload to where its outer bracket ended")
  func outdent() throws {
    let body =
      "logger.logEvents(\n    name: \"on\",\n    parameters: [\n      [\n        \"n\": 1,\n        \"x\": [\n          1\n        ],\n      ]\n    ])"
    #expect(
      try line(body).text
        == "t.sendLog(\n    name: \"switched.on\",\n    payload: [\n      \"count\": 1,\n      \"x\": [\n        1\n      ],\n    ])"
    )
  }

  @Test("finds where the old logger leaves events out by itself")
  func decisions() {
    let text = """
      final class Logger: EventLogger {
        func logEvents(name: String, parameters: [[String: Any]]) {
          guard userHasOptedIn else { return }
          if name.isEmpty { return }
          write(name)
        }
      }

      """
    let found = LoggerDecision.found(in: SourceTexts([(path: "Logger.swift", text: text)]), of: "Logger")
    #expect(found.map(\.condition) == ["userHasOptedIn"])
    #expect(found.map(\.line) == [3])
    #expect(LoggerDecision.found(in: SourceTexts([(path: "Logger.swift", text: text)]), of: "Other") == [])
  }

  private static let events = """
    enum Event: String { case shown, turnedOn = "on", off }
    enum Keys { static let n = "n" }

    """

  @Test("edits raw values once, where they are declared")
  func declared() throws {
    let rewriting = try Rewriting(
      ("Events.swift", Self.events),
      (
        "App.swift",
        "func f() { a.track(Event.shown.rawValue, [\"id\": 1]); a.track(Event.turnedOn.rawValue, [:]) }\n"
      ))
    #expect(
      rewriting.changed["Events.swift"] == """
        enum Event: String { case shown = "home.shown", turnedOn = "switched.on", off }
        enum Keys { static let n = "n" }

        """)
    #expect(rewriting.changed["App.swift"]?.contains(#"["item_id": 1]"#) == true)
    #expect(rewriting.left == [])
  }

  @Test("leaves a constant, which other code may read")
  func usedElsewhere() throws {
    let rewriting = try Rewriting(
      ("Events.swift", Self.events), ("App.swift", "func f() { a.track(\"on\", [Keys.n: 1]) }\n"),
      ("Store.swift", "func g() { UserDefaults.standard.set(1, forKey: Keys.n) }\n"))
    #expect(rewriting.changed == [:])
    #expect(rewriting.left.first?.contains("`Keys.n` is a constant") == true)
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
    let own = """
      final class JSONLogger {
        static let shared = JSONLogger(url)
        static let spare: JSONLogger = JSONLogger(url)
        func copy() -> JSONLogger { JSONLogger(url) }
      }

      """
    let shared = LoggerWrap(SourceTexts([(path: "A.swift", text: own)]), type: "JSONLogger", function: function)
    #expect(
      shared.changed["A.swift"]
        == own.replacing("shared = JSONLogger(url)", with: "shared = Telemetry.dualSend(wrapping: JSONLogger(url))"))
    #expect(shared.typed.map(\.line) == [3])
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
