import DualSendSource
import Testing

/// Each program sends a text with `right` or something unknown, and never one with `wrong`, which a reader might take for it.
@Suite("Names and statements that are easily taken for others", .timeLimit(.minutes(5)))
struct ShadowedTests {
  @Test(
    "is never exact and wrong",
    arguments: [
      #"func f(_ c: Bool) { var n = "wrong"; out: do { if c { break out }; n = "wrong too" }; log(n) }"#,
      """
      func f(_ c: Int) { var n = "wrong"; out: do { switch c { case 1: break out; default: break }; n = "b" }; log(n) }
      """,
      """
      func name(_ k: Int) -> String {
        if k == 0 { return "wrong" }
        switch k {
        #if A
        case 1: return "right"
        #endif
        default: return "right too"
        }
      }
      func f() { log(name(1)) }
      """,
      #"func f(_ c: Int) { var n = "wrong"; switch c { case 1: n = "right"; fallthrough; default: log(n) } }"#,
      #"struct S { let name = "wrong"; var s: String { get { "" } set(name) { log(name) } } }"#,
      #"struct S { let newValue = "wrong"; var s: String { get { "" } set { log(newValue) } } }"#,
      #"struct S { let oldValue = "wrong"; var s = "" { didSet { log(oldValue) } } }"#,
      #"struct S { let name = "wrong"; var s = "" { didSet(name) { log(name) } } }"#,
      #"struct S { let name = "wrong"; var s = "" { willSet(name) { log(name) } } }"#,
      #"struct S { let newValue = "wrong"; var s = "" { willSet { log(newValue) } } }"#,
      #"struct S { let name = "wrong"; subscript(name: String) -> Int { log(name); return 1 } }"#,
      #"struct S { let name = "wrong"; subscript(name: String) -> Int { get { 1 } set { log(name) } } }"#,
      #"struct S { let name = "wrong"; func c() { do { try go() } catch let name as String { log(name) } catch {} } }"#,
      #"struct S { let name = "wrong"; func c() { do { try go() } catch F.named(let name) { log(name) } catch {} } }"#,
      #"enum N { static let v = "wrong" }; func f<N: P>(_: N.Type) { log(N.v) }"#,
      #"enum N { static let v = "wrong" }; struct Box<N: P> { func f() { log(N.v) } }"#,
      #"enum N { static let v = "wrong" }; struct Box<N: P> {}; extension Box { func f() { log(N.v) } }"#,
      #"enum N { static let v = "wrong" }; protocol H { associatedtype N: P }; extension H { func f() { log(N.v) } }"#,
      #"enum N { static let v = "wrong" }; func f() { func g<N: P>(_: N.Type) { log(N.v) }; g(Other.self) }"#,
      """
      enum K { static let n = "wrong" }
      class Base { enum K { static let n = "right" } }
      class Derived: Base { func f() { log(K.n) } }
      """,
      """
      protocol P {}
      extension P { var n: String { "right" } }
      struct S: P { var n: String { "wrong" } }
      func f(_ p: any P) { log(p.n) }
      """,
      """
      protocol P {}
      extension P { var n: String { "right" } }
      struct S: P { var n: String { "wrong" } }
      func f() { let p: any P = S(); log(p.n) }
      """,
      #"extension String { func uppercased() -> String { "right" } }; func f() { log("wrong".uppercased()) }"#,
      #"extension String { static func + (l: String, r: String) -> String { "right" } }; func f() { log("wrong" + "") }"#,
      #"func ?? (l: String?, r: String) -> String { "right" }; func f() { log(nil ?? "wrong") }"#,
      #"func ~= (p: String, v: String) -> Bool { true }; func f() { log(name()) }; func name() -> String { switch "a" { case "b": return "right"; default: return "wrong" } }"#,
      """
      enum T { case a, b; static func == (l: T, r: T) -> Bool { true } }
      func f() { let t = T.a; log(t == .b ? "right" : "wrong only") }
      """,
      #"func f() { let n: String? = "wrong"; log(String(describing: n)) }"#,
      #"func f() { let n: String? = "wrong"; log("\(n)") }"#,
      #"func f() { let n: String? = "wrong"; log("\(n as Any)") }"#,
      #"func f() { let o: Int? = 1; let n = o.map { _ in "wrong" }; log("\(n)") }"#,
      #"func f() { let all: [String?] = ["wrong"]; for n in all { log("\(n)") } }"#,
      #"func f() { let all: [String?] = ["wrong"]; log("\(all[0])") }"#,
      #"typealias Text = String?; func f() { let n: Text = "wrong"; log("\(n)") }"#,
      #"func show(_ n: Any) { log("\(n)") }; func f() { let o: String? = "wrong"; show(o as Any) }"#,
      #"let n: String? = "wrong"; func f() { log("\(n)") }"#,
      #"func made() -> String? { "wrong" }; enum T { static let n = made() }; func f() { log("\(T.n)") }"#,
      #"struct S { let n: String? = "wrong"; func f() { log("\(n)") } }"#,
      #"func log2(_ n: String?) { log("\(n)") }; func f() { log2("wrong") }"#,
      #"func f() { let n: String? = "wrong"; if let n { use(n) }; log("\(n)") }"#,
      """
      protocol P {}
      extension P { static func == (l: Self, r: Self) -> Bool { true } }
      enum T: P { case a, b }
      func name() -> String { if T.a == .b { return "right" }; return "wrong" }
      func f() { log(name()) }
      """,
      #"@Build func built() -> String { "wrong" }; func f() { log(built()) }"#,
      #"struct P { var n = "wrong"; mutating func set() { n = "right" }; init() { set() } }; func f() { log(P().n) }"#,
      #"func f() { let log = { (name: String) in }; log("wrong") }"#,
      #"func f(log: (String) -> Void) { log("wrong") }"#,
    ])
  func shadowed(program: String) {
    let calls = Sources(
      program + "\n"
        + "let logger: any OldLogger = make()\n"
        + "func log(_ name: String) { logger.logEvents(name: name, parameters: [[:]]) }\n"
        + #"func sure() { log("right") }"#
    ).calls
    #expect(calls.contains { $0.summary == "exact right()" })
    for call in calls {
      let names = call.events.map(\.name)
      // All branches may be listed; one of them alone may not.
      let isWrong = names.contains { $0.contains("wrong") } && !names.contains { $0.contains("right") }
      #expect(!isWrong, "\(call.summary) of \(program)")
    }
  }

  @Test(
    "does not take an app's own function for the one of a dictionary or an array",
    arguments: [
      """
      extension Dictionary { mutating func merge(_ other: [String: Any]) { } }
      func f() { var d: [String: Any] = ["a": 1]; d.merge(["wrong": 1]); logger.logEvents(name: "x", parameters: [d]) }
      """,
      """
      extension Array { func map(_ f: (Element) -> [String: Any]) -> [[String: Any]] { [["right": 1]] } }
      func f() { logger.logEvents(name: "x", parameters: ["wrong"].map { [$0: 1] }) }
      """,
    ])
  func ownFunction(program: String) {
    let calls = Sources(program + "\nlet logger: any OldLogger = make()").calls
    #expect(calls.count == 1)
    #expect(!calls.flatMap(\.events).flatMap(\.parameters).contains { $0.key.contains("wrong") })
  }
}
