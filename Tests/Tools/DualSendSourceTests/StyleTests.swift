import DualSendSource
import Testing

/// Styles of real apps, each as it is read, and as it must not be read. `Fixtures/apps` has them as apps that run.
@Suite("Styles of real apps", .timeLimit(.minutes(5)))
struct StyleTests {
  private static let log = """

    let logger: any OldLogger = make()
    func log(_ name: String, _ keys: [String: Any] = [:]) { logger.logEvents(name: name, parameters: [keys]) }
    func sure() { log("right") }
    """

  @Test(
    "never takes an overload for another by what a value is at run time, or a type for one of the same name",
    arguments: [
      """
      protocol P {}; struct A: P {}
      func name(_ p: any P) -> String { "right" }
      func name(_ a: A) -> String { "wrong" }
      func f() { let p: any P = A(); log(name(p)) }
      """,
      """
      protocol P {}; struct A: P {}
      func make() -> any P { A() }
      func name(_ p: any P) -> String { "right" }
      func name(_ a: A) -> String { "wrong" }
      func f() { log(name(make())) }
      """,
      "struct S { let n: String? = \"wrong\"; func f() { let m = n; log(\"\\(m)\") } }",
      "func f(_ n: String?) { let m = n; log(\"\\(m)\") }; func g() { f(\"wrong\") }",
      """
      enum E { case a }; enum F { case a, b }
      func name(_ e: E) -> String { "right" }
      func name(_ f: F) -> String { "wrong" }
      func f(_ given: E) { log(name(given)) }
      """,
      """
      protocol Named { var name: String { get } }
      struct R: Named { let name = "right" }
      enum K: Named { case one; var name: String { "wrong" } }
      func g<K: Named>(_ k: K) { log(k.name) }
      func f() { g(R()) }
      """,
      """
      class E { var n: String; init(_ n: String) { self.n = n } }
      func f() { let e = E("wrong"); e.n = "right"; log(e.n) }
      """,
      """
      class E { let n: String; init(_ n: String) { self.n = n }; var t: String { n } }
      final class F: E { override var t: String { "right" } }
      func g(_ e: E) { log(e.t) }
      func f() { g(F("wrong")) }
      """,
      """
      protocol P { var n: String { get } }
      struct A: P { let n = "right" }; struct B: P { let n = "wrong" }
      extension P where Self == A { static var x: Self { Self() } }
      func g<T: P>(_ p: T) { log(p.n) }
      func f() { g(.x) }
      """,
    ])
  func neverWrong(program: String) {
    for call in Sources(program + Self.log).calls {
      let names = call.events.map(\.name)
      #expect(!names.contains("wrong") || names.contains("right"), "\(call.summary) of \(program)")
    }
  }

  @Test(
    "reads overloads, classes, factories and interpolated names",
    arguments: [
      (
        """
        final class Log {
          static let shared = Log()
          static func track(_ s: String) { shared.track("static_" + s) }
          func track(_ s: String) { log(s) }
          func f() { Log.track("a"); track("b") }
        }
        """, ["static_a()", "b()"]
      ),
      (
        "class E { let n: String; init(_ n: String) { self.n = n }; static let x = E(\"x\") }; func f() { log(E.x.n) }",
        ["x()"]
      ),
      (
        """
        protocol P { var n: String { get } }; struct A: P { let n: String }; struct B: P { let n = "b" }
        extension P where Self == A { static func a(_ n: String) -> Self { .init(n: n) } }
        func track<T>(_ p: T) where T: P { log(p.n) }
        func f() { track(.a("made")); track(B()) }
        """, ["made()", "b()"]
      ),
      ("func tap(_ s: String) { log(\"tap_\\(s)\") }; func f() { tap(\"a\"); tap(\"b\") }", ["tap_a()", "tap_b()"]),
    ])
  func read(program: String, expected: [String]) {
    let calls = Sources(program + Self.log).calls.filter { $0.summary != "exact right()" }
    #expect(calls.map(\.summary) == expected.map { "exact " + $0 }, "\(calls.map(\.open))")
  }

  private static let described = LoggingFunction(
    "track(_:)", of: "Log", content: .event(.position(0), nameProperty: "name", parametersProperty: "keys"))

  private func read(_ files: [(String, String)]) -> [String] {
    let function = [Self.described].compactMap { $0 }
    return Sources(files: files).inventory(functions: function).inventory.callSites
      .filter { !$0.file.hasSuffix("Log.swift") }.map(\.summary)
  }

  private static func event(_ name: String, isPublic: Bool = false) -> String {
    (isPublic ? "public " : "")
      + "enum Event { case a; var name: String { \"\(name)\" }; var keys: [String: Any] { [:] } }"
  }

  private static let call = "func f() { Log().track(.a) }"
  private static let function = "struct Log { func track(_ e: Event) { send(e) } }"

  @Test("tells types of two modules apart by the folder, and leaves open what may be either")
  func modules() {
    let both = [
      ("Sources/A/Event.swift", Self.event("a")), ("Sources/A/Log.swift", Self.function),
      ("Sources/B/Event.swift", Self.event("b")),
    ]
    #expect(read(both + [("Sources/A/View.swift", Self.call)]) == ["exact a()"])
    #expect(read(both + [("Sources/A/Views/View.swift", Self.call)]) == ["exact a()"])
    let other = read(both + [("Sources/C/View.swift", "func f(e: Event) { Log().track(e) }")])
    #expect(other.allSatisfy { !$0.hasPrefix("exact") })
    let folders = [
      ("App/Event.swift", Self.event("a")), ("App/Log.swift", Self.function), ("Widget/Event.swift", Self.event("b")),
    ]
    #expect(read(folders + [("App/View.swift", Self.call)]) == ["exact a()"])
    let imported = [folders[0], folders[1], ("Widget/Event.swift", Self.event("b", isPublic: true))]
    #expect(read(imported + [("App/Views/View.swift", Self.call)]).allSatisfy { !$0.hasPrefix("exact") })
  }

  @Test(
    "takes no call for the described function's that goes to another function of its name, which changes the event",
    arguments: [
      "static func track(_ e: any Event) { shared.track(Plain(name: \"static_\" + e.name)) }",
      "func track(_ e: Given) { track(Plain(name: \"given_\" + e.name)) }",
      "static func track(_ e: any Event) { shared.track(Plain(name: \"static\")) }",
    ])
  func changing(function: String) {
    let source = """
      protocol Event { var name: String { get }; var keys: [String: Any] { get } }
      struct Plain: Event { let name: String; let keys: [String: Any] = [:] }
      struct Given: Event { let name = "given"; let keys: [String: Any] = [:] }
      final class Log {
        static let shared = Log()
        func track(_ e: any Event) { send(e) }
        \(function)
      }
      func f() {
        \(function.hasPrefix("static") ? "Log" : "Log.shared").track(Given())
      }
      """
    let found = read([("App.swift", source)])
    #expect(!found.isEmpty && found.allSatisfy { $0 != "exact given()" }, "\(found)")
  }

  @Test("is sure of a described type of a library, and not of a value that may be another")
  func library() throws {
    let function = try #require(
      LoggingFunction("logEvent(_:)", of: "Analytics", content: .parts(name: .position(0), parameters: nil)))
    let source = """
      final class Own { func logEvent(_ name: String) { print(name) } }
      func f(given: Any) { Analytics.logEvent("a"); SDK.shared().logEvent("b"); make().logEvent("c") }
      """
    let found = Sources(source).inventory(functions: [function]).inventory.callSites
    #expect(found.map(\.certainty) == [.exact, .exact, .partial])
  }

  @Test("is sure of a described type of a library if no other function has the name, whatever it is called on")
  func libraryAlone() throws {
    let function = try #require(
      LoggingFunction("logEvent(_:)", of: "Analytics", content: .parts(name: .position(0), parameters: nil)))
    let source = """
      let analytics = Analytics.shared
      func f(given: Analytics) {
        Analytics.logEvent("a"); analytics.logEvent("b"); given.logEvent("c"); make().logEvent("d")
      }
      """
    let found = Sources(source).inventory(functions: [function]).inventory.callSites
    #expect(found.map(\.summary) == ["exact a()", "exact b()", "exact c()", "exact d()"])
  }

  @Test("knows no list of functions that are handed on where a static function is called by its type")
  func staticCalls() {
    let source = """
      final class Log {
        static let shared = Log()
        static func track(_ e: Event) { shared.track(e) }
        func track(_ e: Event) { send(e) }
      }
      func f() { Log.track(.a); Log.shared.track(.a) }
      """
    #expect(read([("Event.swift", Self.event("a")), ("App.swift", source)]) == ["exact a()", "exact a()"])
  }
}
