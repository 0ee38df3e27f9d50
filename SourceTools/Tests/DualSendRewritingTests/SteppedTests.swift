import Testing

/// Dictionaries that are built step by step: each key under its new name where it is set.
@Suite("dualsend rewrite finish: dictionaries built in steps")
struct SteppedTests {
  private func rewriting(_ lines: [String]) throws -> Rewriting {
    let body = lines.map { "  \($0)\n" }.joined()
    return try Rewriting(
      "func work(l: any EventLogger, x: Int, s: String, o: String?, flag: Bool) {\n\(body)}\n"
        + "func bump() -> Int { 1 }\nfunc change(_ p: inout [String: Any]) {}\n"
        + "func shared() -> [String: Any] { [\"id\": 4, \"debug\": \"x\"] }\n")
  }

  @Test(
    "writes keys anew where they are set",
    arguments: [
      (
        [
          #"var p: [String: Any] = ["n": x]"#, #"if flag { p["title"] = "a" }"#,
          #"l.logEvents(name: "shown", parameters: [p])"#,
        ],
        [
          #"var p: [String: Any] = ["count": x]"#, #"if flag { p["headline"] = "a" }"#,
          #"t.sendLog(name: "home.shown", payload: p)"#,
        ]
      ),
      (
        [
          "var p: [String: Any] = [:]", #"p["pos"] = String(x)"#, #"p["id"] = x"#, #"p["debug"] = s"#,
          #"if let o { p["title"] = o }"#, #"l.logEvents(name: "shown", parameters: p)"#,
        ],
        [
          "var p: [String: Any] = [:]", #"p["position"] = x"#,
          #"p["item"] = ["id": x] as [String: any Sendable]"#, #"if let o { p["headline"] = o }"#,
          #"t.sendLog(name: "home.shown", payload: p)"#,
        ]
      ),
      (
        [
          "var p = [String: Any]()", #"p.updateValue(flag ? "1" : "0", forKey: "liked")"#,
          #"p.removeValue(forKey: "n")"#, #"l.logEvents(name: "tapped", parameters: [p])"#,
        ],
        [
          #"var p = ["schema": 2] as [String: Any]"#,
          #"p.updateValue(flag ? true : false, forKey: "is_liked")"#, #"p.removeValue(forKey: "count")"#,
          #"t.sendLog(name: "home.tapped", payload: p)"#,
        ]
      ),
      (
        ["var p = shared()", #"p["n"] = x"#, #"l.logEvents(name: "shown", parameters: [p])"#],
        [
          #"var p = ["item": ["id": 4] as [String: any Sendable]] as [String: Any]"#, #"p["count"] = x"#,
          #"t.sendLog(name: "home.shown", payload: p)"#,
        ]
      ),
      (
        ["var p: [String: Any] = [:]", #"p["title"] = o"#, #"l.logEvents(name: "other", parameters: [p])"#],
        ["var p: [String: Any] = [:]", #"p["title"] = o"#, #"t.sendLog(name: "other", payload: p)"#]
      ),
    ])
  func writtenAnew(lines: [String], expected: [String]) throws {
    let rewriting = try rewriting(lines)
    #expect(rewriting.left == [])
    let body = rewriting.text.split(separator: "\n").dropFirst().prefix { $0 != "}" }
    #expect(body.map { String($0.dropFirst(2)) } == expected)
  }

  private static let log = #"l.logEvents(name: "shown", parameters: [p])"#

  @Test(
    "leaves a dictionary that is used for more, or not simple, and says why",
    arguments: [
      ([#"var p: [String: Any] = ["n": 1]"#, "print(p)", log], "put together elsewhere"),
      ([#"var p: [String: Any] = ["n": 1]"#, "change(&p)", log], "handed to"),
      ([#"var p: [String: Any] = ["n": 1]"#, #"defer { _ = p["n"] }"#, log], "put together elsewhere"),
      ([#"var p: [String: Any] = [:]"#, #"p["n"] = 1"#, log, log], "put together elsewhere"),
      (["var p: [String: Any] = [:]", #"if flag { let p = 1; _ = p }"#, log], "put together elsewhere"),
      (["var p: [String: Int] = [:]", #"p["n"] = 1"#, log], "put together elsewhere"),
      (["var p: [String: Any] = [:]", #"p["debug"] = bump()"#, #"p["n"] = 1"#, log], "cannot go"),
      (["var p: [String: Any] = [:]", #"if flag { p["debug"] = 1 }"#, #"p["n"] = 1"#, log], "cannot go"),
      (["var p: [String: Any] = [:]", #"p["debug"] = 1 // why"#, #"p["n"] = 1"#, log], "cannot go"),
      (["var p: [String: Any] = [:]", #"p["id"] = o"#, log], "may be `nil`"),
      ([#"var p: [String: Any] = ["id": 1]"#, #"p["item"] = 1"#, log], "two values want the place `item`"),
      (["var p: [String: Any] = [:]", #"p["n"] = 1"#, #"p["count"] = 2"#, log], "two values want the place `count`"),
      (["var p: [String: Any] = [:]", #"p["pos"] = s"#, log], "turns every string into a int"),
      (
        ["var p: [String: Any] = [:]", #"let later = { p["n"] = 1 }"#, "later()", log],
        "a closure may change"
      ),
    ])
  func left(lines: [String], reason: String) throws {
    let rewriting = try rewriting(lines)
    #expect(rewriting.count == 0, "\(rewriting.text)")
    #expect(rewriting.left.contains { $0.contains(reason) }, "\(rewriting.left)")
  }
}
