import DualSendRemapping
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
        #"logger.logEvents(name: "converting", parameters: [["pos": n]])"#,
        #"t.sendLog(name: "converting", payload: ["position": n])"#
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
        "both become `site_id`: send one of them"
      ),
      (#"a.track("dropping", ["debug": 1])"#, "the table drops `debug`: remove it by hand"),
      (
        #"logger.logEvents(name: "adding", parameters: [["n": 1]])"#, "the table sets `schema` to `2`: write it by hand"
      ),
      (#"logger.logEvents(name: "converting", parameters: [["pos": text]])"#, "converts `pos`: write the conversion"),
      (#"logger.logEvents(name: "converting", parameters: [["pos": "3"]])"#, #"by hand: `"3"` becomes `3`"#),
      (#"a.track("moving", ["sku": 1])"#, "the table moves `sku` to `item.id`: move it by hand"),
      (#"logger.logEvents(name: "moving", parameters: [["ctx": ["screen": 1, "x": 2]]])"#, "moves `ctx.screen` to"),
      (
        #"logger.logEvents(name: "shown", parameters: [["box": text.boxed]])"#, "`box.w`, which is not written out here"
      ),
      (#"a.track("shown", ["box": [["w": 1]]])"#, "`box.w`, which is not written out here"),
      (
        #"let p = ["n": 1]; logger.logEvents(name: "on", parameters: [p])"#,
        "`n` is written in App.swift:2, where other"
      ),
      (#"let name = "on"; a.track(name, [:])"#, "`on` is written in App.swift:2, where other code may use it"),
      (#"a.track("tab_" + (flag ? "home" : "more"), [:])"#, "is put together: write `tab.home` by hand"),
      (#"logger.logEvents(name: "on", parameters: [["n": 1, "count": 2]])"#, "both become `count`: send one of them"),
      (#"a.track("swapping", ["a": 1])"#, "would change `swapping` again"),
      (
        #"var p: [String: Any] = ["id": n]; if flag { p["n"] = 1 }; a.track("shown", p)"#,
        "`id` is written in App.swift:2, where other code may use it"
      ),
      (#"makeLogger().logEvents(name: "on", parameters: [["n": 1]])"#, "may do more than name a logger"),
      (#"Optional(logger)?.logEvents(name: "on", parameters: [["n": 1]])"#, "may do more than name a logger"),
    ])
  func left(body: String, reason: String) throws {
    let (text, left) = try line(body)
    #expect(text == nil)
    #expect(left.first?.contains(reason) == true, "\(left)")
  }

  /// Each value goes somewhere else, too.
  @Test(
    "leaves what other code uses, and names the place",
    arguments: [
      (
        "let name = \"on\"; show(name); a.track(name, [:])",
        "`on` is written in App.swift:2, where other code may use it"
      ),
      ("a.track(\"on\", [\"n\": 1].merging([:]) { $1 })", "`n` is written in App.swift:2, where other code may use it"),
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
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(
        path: "Fixtures/Sources/Elsewhere")
    let texts = SourceTexts([
      (
        path: file + ".swift",
        text: try String(contentsOf: folder.appending(path: file + ".swift.txt"), encoding: .utf8)
      )
    ])
    return try FinishPlan(
      texts, SourceInventory(texts, functions: LoggingFunction.known),
      table: RemappingTable(reading: Data(contentsOf: folder.appending(path: "table.json")), name: nil), tracker: "t",
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

  @Test("changes the calls of a described function that already calls the new tracker")
  func forwardsToTracker() throws {
    let log = "func track(_ name: String, _ p: [String: Any]) { tracker.sendLog(name: name, payload: p) }\n"
    let app = "func f() { a.track(\"on\", [\"n\": 1]) }\n"
    let rewriting = try Rewriting(("Log.swift", log), ("App.swift", app))
    #expect(rewriting.left == [])
    #expect(rewriting.changed == ["App.swift": "func f() { a.track(\"switched.on\", [\"count\": 1]) }\n"])
  }

  @Test("leaves a text that a described function gives to another service's `log`")
  func secondService() throws {
    let log = "func track(_ name: String, _ p: [String: Any]) { Service.shared.log(name, p) }\n"
    let rewriting = try Rewriting(("Log.swift", log), ("App.swift", "func f() { a.track(\"on\", [\"n\": 1]) }\n"))
    #expect(rewriting.changed == [:])
    #expect(rewriting.left == ["`track` also uses `name` in Log.swift:1: change it by hand"])
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
    #expect(some.left.contains { $0.contains("it goes through `log`, as does the call in Page.swift:4, which stays") })
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

  @Test("names the call that is not exact and shares a raw value with another one, which stays because of it")
  func sharedRawValue() throws {
    let rewriting = try Rewriting(
      ("Events.swift", Self.events),
      (
        "App.swift",
        """
        func f() { a.track(Event.turnedOn.rawValue, [:]) }
        func g(p: [String: Any]) { a.track(Event.turnedOn.rawValue, p) }

        """
      ))
    #expect(rewriting.changed == [:])
    #expect(
      rewriting.left == [
        "`on` stands once for several calls: the call in App.swift:2 shares it and stays; give each its own",
        "any `[String: Any]`",
      ], "\(rewriting.left)")
  }

  @Test("leaves the raw value of an event's name, which the event holds for other code too")
  func nameOfEvent() throws {
    let function = try #require(
      LoggingFunction(
        "send(_:)", content: .event(.position(0), nameProperty: "name.rawValue", parametersProperty: "keys")))
    let events = """
      enum Name: String { case shown }
      struct Event { let name: Name; var keys: [String: Any] = [:] }

      """
    let rewriting = try Rewriting(
      ("Events.swift", events), ("App.swift", "func f() { a.send(Event(name: .shown)) }\n"),
      functions: [function])
    #expect(rewriting.changed == [:])
    #expect(
      rewriting.left == ["`Name.shown` is used elsewhere, too, in Events.swift:2: give the event its own"],
      "\(rewriting.left)")
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

}
