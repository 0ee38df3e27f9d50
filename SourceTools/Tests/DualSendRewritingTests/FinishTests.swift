import DualSendRemapping
import DualSendRewriting
import DualSendSource
import Testing

@Suite("dualsend rewrite finish")
struct FinishTests {
  private static let table = """
    {"formatVersion": 1, "events": {
      "home.view": {"name": "home.shown", "parameters": {
        "debug": null, "pos": {"to": "position", "type": "int"}, "n": {"to": "count", "type": "string"},
        "liked": {"to": "is_liked", "values": {"1": true, "0": false}}, "sku": "item.id", "box.w": "size.width",
        "deep": "moved"
      }, "add": {"schema": 2}},
      "lines": {"parameters": {"lines[].sku": "items[].id"}},
      "dropped": {"unmapped": "drop", "parameters": {"a": "b"}}
    }}
    """

  private func plan(_ body: String, table: String = table) throws -> (text: String?, left: [String]) {
    let texts = SourceTexts([
      (
        path: "App.swift",
        text: "func work(logger: any EventLogger, n: Int, text: String, flag: Bool) {\n  \(body)\n}\n"
      )
    ])
    let functions = LoggingFunction.known
    let plan = try FinishPlan(
      texts, SourceInventory(texts), table: RemappingTable(table.utf8, name: nil), tracker: "tracker",
      functions: functions, threads: 1)
    let text = plan.changed["App.swift"].map {
      $0.split(separator: "\n").dropFirst().dropLast().joined(separator: "\n")
    }
    return (text.map { $0.trimmingPrefix("  ") }.map(String.init), plan.left.map(\.reason))
  }

  @Test(
    "writes a call anew",
    arguments: [
      (
        #"logger.logEvents(name: "home.view", parameters: [["tab": text, "debug": "x"]])"#,
        #"tracker.sendLog(name: "home.shown", payload: ["tab": text, "schema": 2])"#
      ),
      (
        #"logger.logEvents(name: "home.view", parameters: ["pos": "7", "n": n])"#,
        #"tracker.sendLog(name: "home.shown", payload: ["position": 7, "count": String(n), "schema": 2])"#
      ),
      (
        #"logger.logEvents(name: "home.view", parameters: [["liked": text]])"#,
        "tracker.sendLog(\n    name: \"home.shown\",\n    payload: [\n      \"is_liked\": ([\"0\": false, \"1\": true] as "
          + "[String: any Sendable])[text] ?? text,\n      \"schema\": 2,\n    ])"
      ),
      (
        #"logger.logEvents(name: "home.view", parameters: [["sku": 1, "box": ["w": n]]])"#,
        "tracker.sendLog(\n    name: \"home.shown\",\n    payload: [\n"
          + "      \"item\": [\"id\": 1] as [String: any Sendable],\n"
          + "      \"size\": [\"width\": n] as [String: any Sendable],\n      \"schema\": 2,\n    ])"
      ),
      (
        #"logger.logEvents(name: "home.view", parameters: [["deep": ["a": 1]]])"#,
        #"tracker.sendLog(name: "home.shown", payload: ["moved": ["a": 1] as [String: any Sendable], "schema": 2])"#
      ),
      (
        #"logger.logEvents(name: "dropped", parameters: [["a": 1, "c": 2], ["a": 3]])"#,
        #"tracker.sendLogs(name: "dropped", payloads: [["b": 1], ["b": 3]])"#
      ),
      (#"logger.logEvents(name: "other")"#, #"tracker.sendLog(name: "other", payload: [:])"#),
    ])
  func rewritten(body: String, expected: String) throws {
    let (text, left) = try plan(body)
    #expect(text == expected)
    #expect(left == [])
  }

  @Test(
    "leaves a call that it is not sure of, and says why",
    arguments: [
      (#"logger.logEvents(name: text, parameters: [["a": 1]])"#, "the name: any string"),
      (#"logger.logEvents(name: "home.view", parameters: [["pos": text]])"#, "turns every string into a int"),
      (#"logger.logEvents(name: "lines", parameters: [["lines": lines()]])"#, "`lines`"),
      (#"logger.logEvents(name: "dropped", parameters: [["a": 1 /* why */]])"#, "comments"),
      (#"let p = ["a": 1]; print(p); logger.logEvents(name: "dropped", parameters: [p])"#, "put together elsewhere"),
      (#"makeLogger().logEvents(name: "dropped", parameters: [["a": 1]])"#, "may do more than name a logger"),
      (#"Optional(logger)?.logEvents(name: "dropped", parameters: [["a": 1]])"#, "only if"),
      (#"logger.logEvents(name: "dropped", parameters: [["a": 1, "c": work(n)]])"#, "`work(n)`"),
      (#"logger.logEvents(name: flag ? "dropped" : "other", parameters: [["a": 1]])"#, "not one text"),
    ])
  func left(body: String, reason: String) throws {
    let (text, left) = try plan(body)
    #expect(text == nil)
    #expect(left.count == 1)
    #expect(left.first?.contains(reason) == true, "\(left)")
  }

  @Test("changes nothing else, byte for byte")
  func everythingElse() throws {
    let before =
      "// é\r\nfunc f(l: any L) {\r\n\tl.logEvents(name: \"dropped\", parameters: [[\"a\": 1]]) // stays\r\n}\t\r\n"
    let texts = SourceTexts([(path: "A.swift", text: before)])
    let plan = try FinishPlan(
      texts, SourceInventory(texts), table: RemappingTable(Self.table.utf8, name: nil), tracker: "t",
      functions: LoggingFunction.known, threads: 1)
    #expect(
      plan.changed["A.swift"]?.utf8.elementsEqual(
        before.replacing(
          "l.logEvents(name: \"dropped\", parameters: [[\"a\": 1]])",
          with: "t.sendLog(name: \"dropped\", payload: [\"b\": 1])"
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
