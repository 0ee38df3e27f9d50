import DualSendSource
import Testing

@Suite("What an inventory can say of a call", .timeLimit(.minutes(5)))
struct ResolvedTests {
  /// The body of a function, and what of the one call in it is known.
  @Test(
    "follows values through a function",
    arguments: [
      (#"logger.logEvents(name: "a", parameters: [["x": 1, "y": ["z": true]]])"#, "exact a(x, y.z)"),
      (#"logger.logEvents(name: "a", parameters: ["x": n])"#, "exact a(x)"),
      (#"logger.logEvents(name: "a")"#, "exact a()"),
      (#"let name = "a" + "." + "b"; logger.logEvents(name: name, parameters: [[:]])"#, "exact a.b()"),
      (#"logger.logEvents(name: "tab_\(text)", parameters: [["x": 1]])"#, "partial tab_*(x)"),
      (#"logger.logEvents(name: text, parameters: [["x": 1]])"#, "dynamic"),
      (#"logger.logEvents(name: "a", parameters: [[text: 1]])"#, "partial a(…)"),
      (#"logger.logEvents(name: "a", parameters: [unknown()])"#, "partial a(…)"),
      (#"logger.logEvents(name: "a", parameters: [["x": unknown()]])"#, "exact a(x)"),
      (
        #"var p: [String: Any] = ["x": 1]; if flag { p["y"] = 2 }; logger.logEvents(name: "a", parameters: [p])"#,
        "exact a(x, y?)"
      ),
      (
        #"var p: [String: Any] = ["x": 1, "y": 2]; p["y"] = nil; logger.logEvents(name: "a", parameters: [p])"#,
        "exact a(x)"
      ),
      (
        #"var p = ["x": 1]; p["y"] = maybe; logger.logEvents(name: "a", parameters: [p])"#, "exact a(x, y?)"
      ),
      (
        #"var p = ["x": 1]; change(&p); logger.logEvents(name: "a", parameters: [p])"#, "partial a(…)"
      ),
      (
        #"var p = ["x": 1]; later { p["y"] = 2 }; p = ["x": 1]; logger.logEvents(name: "a", parameters: [p])"#,
        "partial a(…)"
      ),
      (
        #"for name in ["a", "b"] { logger.logEvents(name: name, parameters: [["x": 1]]) }"#, "exact a(x) b(x)"
      ),
      (
        """
        let name: String
        switch n {
        case 0: name = "a"
        default: name = "b"
        }
        logger.logEvents(name: name, parameters: [["x": n]])
        """, "exact a(x) b(x)"
      ),
      (
        """
        #if DEBUG
        let name = "a"
        #else
        let name = "b"
        #endif
        logger.logEvents(name: name, parameters: [["x": 1]])
        """, "partial"
      ),
    ])
  func function(body: String, summary: String) {
    let calls = Sources(
      """
      func work(logger: any EventLogger, flag: Bool, n: Int, text: String, maybe: Int?, numbers: [Int]) {
        \(body)
      }
      """
    ).calls
    #expect(calls.count == 1)
    if summary == "partial" {
      #expect(calls.first?.certainty != .exact || calls.first?.summary == "exact a(x) b(x)")
    } else {
      #expect(calls.map(\.summary) == [summary])
    }
  }

  @Test("finds constants and raw values in other files, and tells types of one name apart")
  func constants() {
    let calls = Sources(
      ("A.swift", #"enum Names { static let home = "home.view" }; private enum Keys { static let id = "wrong" }"#),
      (
        "B.swift",
        """
        enum Key: String { case id = "item_id", plain }
        private enum Keys { static let id = "right" }
        func log(_ logger: any EventLogger) {
          logger.logEvents(name: Names.home, parameters: [[Key.id.rawValue: 1, Key.plain.rawValue: 2, Keys.id: 3]])
        }
        """
      )
    ).calls
    #expect(calls.map(\.summary) == ["exact home.view(item_id, plain, right)"])
  }

  @Test(
    "lists each caller of a function that builds the name, also in a way that is not followed",
    arguments: [
      (#"[a, b].joined(separator: "_")"#, ["exact home_open()", "exact cart_open()"]),
      (#"[a, b].joined()"#, ["exact homeopen()", "exact cartopen()"]),
      (#"build(a, b)"#, ["dynamic", "dynamic"]),
      (#"{ [a, b].sorted().first! }()"#, ["dynamic", "dynamic"]),
    ])
  func builtNames(name: String, summaries: [String]) {
    for (before, used) in [("", name), ("let name = \(name); ", "name"), ("var name = a; name = \(name); ", "name")] {
      let calls = Sources(
        """
        let logger: any OldLogger = make()
        func track(_ a: String, _ b: String) { \(before)logger.logEvents(name: \(used), parameters: [[:]]) }
        func home() { track("home", "open") }
        func cart() { track("cart", "open") }
        """
      ).calls
      #expect(calls.map(\.summary) == summaries, "\(before)\(used)")
    }
  }

  @Test("takes no word of a text or a comment for an argument of the caller, or for a function of the type")
  func words() {
    let calls = Sources(
      #"""
      let logger: any OldLogger = make()
      func track(_ a: String) { let name = build("a" /* a */); logger.logEvents(name: name, parameters: [[:]]) }
      func home() { track("home") }
      struct S {
        let n: String
        init(_ text: String) { /* reset it */ n = text }
        func reset() {}
      }
      func open() { logger.logEvents(name: S("right").n, parameters: [[:]]) }
      extension [Int] { static func == (l: [Int], r: [Int]) -> Bool { true } }
      func same() { logger.logEvents(name: "x" == "x" ? "equal" : "other", parameters: [[:]]) }
      """#
    ).calls
    #expect(calls.map(\.line) == [2, 9, 11])
    #expect(calls.map(\.summary) == ["dynamic", "exact right()", "exact equal()"])
  }

  @Test("does not choose between two constants of one name in two files")
  func ambiguous() {
    let calls = Sources(
      ("A.swift", #"let home = "a""#), ("B.swift", #"let home = "b""#),
      ("C.swift", #"func log(_ logger: any EventLogger) { logger.logEvents(name: home, parameters: [[:]]) }"#)
    ).calls
    #expect(calls.map(\.certainty) == [.dynamic])
  }

  @Test("follows functions that hand their parameters on, through several, with defaults")
  func wrappers() {
    let calls = Sources(
      (
        "Logging.swift",
        """
        extension EventLogger {
          func track(_ name: String, _ extra: [String: Any] = [:]) {
            logEvents(name: "app." + name, parameters: [extra.merging(["v": 1]) { own, _ in own }])
          }
          func tap(_ name: String, id: Int) { track(name + ".tap", ["id": id]) }
        }
        protocol EventLogger { func logEvents(name: String, parameters: [[String: Any]]) }
        """
      ),
      (
        "Screen.swift",
        """
        struct Screen {
          let logger: any EventLogger
          func show() { logger.track("home") }
          func like() { logger.tap("like", id: 1) }
        }
        """
      )
    ).calls
    #expect(calls.map(\.summary) == ["exact app.home(v)", "exact app.like.tap(id, v)"])
    #expect(calls.map(\.via) == [["track(_:_:)"], ["tap(_:id:)", "track(_:_:)"]])
    #expect(calls.map(\.function) == ["show()", "like()"])
    #expect(calls.map(\.type) == ["Screen", "Screen"])
  }

  @Test("takes each case of an enum of events for itself")
  func typedEvents() {
    let calls = Sources(
      """
      enum Event {
        case shown(id: Int, source: String?)
        case closed
        var name: String { switch self { case .shown: "shown"; case .closed: "closed" } }
        var parameters: [String: Any] {
          switch self {
          case .shown(let id, let source):
            var all: [String: Any] = ["id": id]
            if let source { all["source"] = source }
            return all
          case .closed: return [:]
          }
        }
        func send(to logger: any EventLogger) { logger.logEvents(name: name, parameters: [parameters]) }
      }
      func work(_ logger: any EventLogger, source: String?) {
        Event.shown(id: 1, source: source).send(to: logger)
        Event.shown(id: 1, source: nil).send(to: logger)
        Event.closed.send(to: logger)
      }
      """
    ).calls
    #expect(calls.map(\.summary) == ["exact shown(id, source?)", "exact shown(id)", "exact closed()"])
  }

  @Test("says of a function that is not called that it is open")
  func loose() {
    let calls = Sources(
      """
      func track(_ name: String, _ logger: any EventLogger) { logger.logEvents(name: name, parameters: [[:]]) }
      """
    ).calls
    #expect(calls.map(\.certainty) == [.dynamic])
    #expect(calls.first?.open.contains("these sources do not call the function") == true)
  }

  @Test("is the same on any number of threads, and in any order of the files")
  func threads() {
    let files = (0..<40).map { number in
      (
        "F\(number).swift",
        #"func f\#(number)(_ l: any EventLogger) { l.logEvents(name: "e\#(number)", parameters: [["k": 1]]) }"#
      )
    }
    let one = Sources(files: files).inventory(threads: 1).inventory.jsonLines
    #expect(Sources(files: files).inventory(threads: 7).inventory.jsonLines == one)
    #expect(Sources(files: files.reversed()).inventory(threads: 2).inventory.jsonLines == one)
  }

  @Test("passes files over that are not Swift, and says where they stop being it")
  func broken() {
    let found = Sources(("A.swift", "func f() {\n  let x = \n"), ("B.swift", "let fine = 1\n")).inventory()
    #expect(found.skipped.map(\.file) == ["A.swift"])
    #expect(found.fileCount == 1)
  }
}
