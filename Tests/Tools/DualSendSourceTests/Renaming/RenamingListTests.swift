import DualSendCommandLine
import DualSendCore
import DualSendRemapping
import DualSendSource
import DualSendTables
import Testing

@Suite("What a table makes of the places", .timeLimit(.minutes(5)))
struct RenamingListTests {
  private static let table = """
    {"formatVersion": 1, "events": {
      "shown": {"name": "home.shown", "parameters": {"id": "item_id", "box.w": "box.width"}},
      "dropping": {"parameters": {"debug": null}},
      "forked": {"parameters": {"siteId": {"to": "site_id", "or": ["site id"]}}},
      "adding": {"name": "added",
        "add": {"schema": 2}},
      "converting": {"parameters": {
        "pos": {"to": "position", "type": "int"}, "liked": {"to": "is_liked", "values": {"1": true}, "default": false}}},
      "moving": {"parameters": {"sku": "item.id"}},
      "tab_home": {"name": "tab.home"}, "tab_more": {"name": "tab.more"}, "swapping": {"parameters": {"a": "b", "b": "a"}},
      "strict": {"unmapped": "drop"},
      "*": {"parameters": {"ts": "time"}}
    }}
    """

  /// The entries of the first place as `old → new @line (by hand)`.
  private func entries(_ call: String) throws -> [String] {
    let source = "func work(logger: any EventLogger, n: Int, text: String, flag: Bool) {\n  \(call)\n}\n"
    let table = try RemappingTable(reading: Self.table.utf8, name: nil)
    let list = RenamingList(Sources(source).calls, table, TablePlaces(Array(Self.table.utf8)))
    return list.places.flatMap(\.events).flatMap(\.entries).map { entry in
      let row = entry.row.map { " @\($0)" } ?? ""
      let byHand = entry.byHand.isEmpty ? "" : " (\(entry.byHand.joined(separator: "; ")))"
      return "\(entry.old) → \(entry.new ?? "–")\(row)\(byHand)"
    }
  }

  @Test(
    "are the new name and keys, each with its row, and what to write besides them",
    arguments: [
      (#"name: "shown", parameters: [["id": n, "x": 1]]"#, ["shown → home.shown @2", "id → item_id @2", "x → x"]),
      (#"name: "shown", parameters: [["box": ["w": n]]]"#, ["shown → home.shown @2", "box.w → box.width @2"]),
      (
        #"name: "shown", parameters: [["box": text.boxed]]"#,
        ["shown → home.shown @2", "box → box (the table changes `box.w`, which is not written out here)"]
      ),
      (#"name: "dropping", parameters: [["debug": 1]]"#, ["dropping → dropping @3", "debug → – @3 (leave it out)"]),
      (#"name: "strict", parameters: [["debug": 1]]"#, ["strict → strict @11", "debug → – (leave it out)"]),
      (
        #"name: "forked", parameters: [["siteId": 1, "site id": n]]"#,
        [
          "forked → forked @4", "site id → site_id @4 (several keys become `site_id`: send one of them)",
          "siteId → site_id @4 (several keys become `site_id`: send one of them)",
        ]
      ),
      (
        #"name: "adding", parameters: [["n": 1]]"#,
        ["adding → added @5", "n → n", " → schema @6 (add it with the value `2`)"]
      ),
      (
        #"name: "converting", parameters: [["pos": "3", "liked": "1"]]"#,
        [
          "converting → converting @7",
          "liked → is_liked @8 (convert it by the row's `values`: `\"1\"` becomes `true`; "
            + "send `false` where it is missing or null)",
          "pos → position @8 (convert it to int: `\"3\"` becomes `3`)",
        ]
      ),
      (#"name: "converting", parameters: [["pos": n]]"#, ["converting → converting @7", "pos → position @8"]),
      (
        #"name: "moving", parameters: [["sku": 1]]"#,
        ["moving → moving @9", "sku → item.id @9 (move it to `item.id`)"]
      ),
      (#"name: "other", parameters: [["ts": 1]]"#, ["other → other", "ts → time @12"]),
      (
        #"name: "swapping", parameters: [["a": 1]]"#,
        [
          "swapping → swapping @10 (the table changes `swapping` too: rename the call together with the table's removal)",
          "a → b @10",
        ]
      ),
      (
        #"name: "tab_\(text)", parameters: [[:]]"#,
        ["tab_home → tab.home @10 (if `tab_*` is this name)", "tab_more → tab.more @10 (if `tab_*` is this name)"]
      ),
      (#"name: "none_\(text)", parameters: [[:]]"#, ["none_* → none_* (the table has no such name)"]),
    ])
  func entries(call: String, expected: [String]) throws {
    #expect(try entries("logger.logEvents(\(call))") == expected)
  }

  @Test("are text with the totals, CSV, and a line of JSON for each place")
  func forms() async throws {
    let app = try TemporaryApp()
    let table = try app.write("table.json", Self.table)
    try app.write(
      "App.swift",
      """
      func open(logger: any EventLogger, tab: String) {
        logger.logEvents(name: "shown", parameters: [["id": 1]])
        logger.logEvents(name: "adding", parameters: [["n": "a, \\"b\\""]])
        logger.logEvents(name: tab, parameters: [[:]])
      }
      """)
    func run(_ arguments: String...) async -> VerbRun {
      await VerbRun.of(["inventory", "--remap", table, app.path] + arguments)
    }
    let text = await run()
    #expect(text.status == .clean)
    let lines = text.results.replacing(app.path + "/", with: "").split(separator: "\n").map(String.init)
    #expect(lines[2].split(separator: " ") == ["App.swift:2", "shown", "home.shown", "table.json:2"])
    #expect(lines.contains { $0.contains("schema") && $0.hasSuffix("add it with the value `2`") })
    #expect(
      lines.last == "3 places: 1 by new names and keys alone, 1 with more by hand, 1 not exact; nothing was edited")
    let csv = await run("--format", "csv")
    let rows = csv.results.replacing(app.path + "/", with: "").split(separator: "\r\n").map(String.init)
    #expect(rows[0] == "file,line,certainty,event,kind,old,new,row,by hand")
    #expect(rows[2] == "App.swift,2,exact,shown,key,id,item_id,table.json:2,")
    #expect(rows.last == "App.swift,4,dynamic,,open,,,,these sources do not call the function")
    let json = await run("--format", "json")
    #expect(json.results.split(separator: "\n").count == 3)
    #expect(json.results.contains(#""byHand":[],"kind":"name","new":"home.shown","old":"shown","row":""#))
    #expect(await run("--format", "sarif").status == .usage)
    #expect(await VerbRun.of(["inventory", app.path, "--format", "csv"]).status == .usage)
    try app.write("table.json", #"{"formatVersion": 1, "events": {"a": {"name": 7}}}"#)
    #expect(await run().status == .couldNotRun)
  }

  @Test("have the calls in Objective-C among them")
  func objectiveC() async throws {
    let app = try TemporaryApp()
    let table = try app.write("table.json", Self.table)
    try app.write("App.swift", "")
    try app.write("Old.m", "void f() { [log logEventsWithName:@\"shown\" parameters:@[@{}]]; }")
    let run = await VerbRun.of(["inventory", "--remap", table, app.path])
    #expect(run.results.contains("home.shown"))
    #expect(run.results.contains("1 place: 0 by new names and keys alone, 0 with more by hand, 1 not exact"))
  }
}
