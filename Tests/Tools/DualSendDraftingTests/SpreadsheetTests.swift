import DualSend
import DualSendCore
import DualSendRemapping
import Testing

@testable import DualSendDrafting

@Suite("A table as a spreadsheet", .timeLimit(.minutes(5)))
struct SpreadsheetTests {
  private func finding(_ csv: String) -> DocumentDiagnostic? { finding(Array(csv.utf8)) }

  /// The first finding about a spreadsheet that is refused.
  private func finding(_ bytes: [UInt8]) -> DocumentDiagnostic? {
    do throws(DocumentError) {
      _ = try TableImport(bytes, name: "plan.csv")
      return nil
    } catch {
      return error.diagnostics.first
    }
  }

  @Test("comes back as the same table, for random tables", arguments: UInt64(1)...60)
  func roundTrip(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let table = random.awkwardTable()
    let csv = try TableExport(table.canonicalJSON).csv
    #expect(try TableImport(Array(csv.utf8)).json == table, "\(csv)")
    #expect(try TableExport(table.canonicalJSON).markdown.split(separator: "\n").count > 2)
  }

  @Test("has one line for the event and one for each row and constant, with what would be a formula defused")
  func csv() throws {
    let table = #"""
      {"formatVersion": 1, "events": {"=cmd()": {"//": "mine", "name": "tap", "parameters": {
        "a": "b", "c": null, "-d": {"to": "e", "type": "int", "values": {"x, y": 1}, "default": -1}},
        "add": {"s": "auto", "n": "1"}, "unmapped": "drop", "allow": ["DS0112"]}}}
      """#
    #expect(
      try TableExport(Array(table.utf8)).csv.split(separator: "\r\n") == [
        "event,key,new event,new key,action,type,values,default,value,unmapped,on clash,allow",
        #""""=cmd()""",,tap,,event,,,,,drop,,DS0112"#,
        #""""=cmd()""",a,,b,move,,,,,,,"#,
        #""""=cmd()""",c,,,drop,,,,,,,"#,
        #""""=cmd()""","""-d""",,e,move,int,"{""x, y"":1}",'-1,,,,"#,
        #""""=cmd()""",,,s,add,,,,auto,,,"#,
        #""""=cmd()""",,,n,add,,,,"""1""",,,"#,
      ])
  }

  @Test("is read as people save it: a byte order mark, other line ends, empty lines and columns in any order")
  func foreign() throws {
    let csv = "\u{FEFF}New Key, key ,EVENT,new event\r\rb,a,tap,\"\"\"new\\r\\ntap\"\"\"\r,,,\n,,view,\r\n"
    let read = try TableImport(Array(csv.utf8))
    #expect(
      read.json == ["formatVersion": 1, "events": ["tap": ["name": "new\r\ntap", "parameters": ["a": "b"]]]])
    #expect(read.leftOut.map { $0.prefix(14) } == ["line 5, `view`"])
  }

  @Test(
    "says where it is wrong, and the way out",
    arguments: [
      ("", "DS1203", 1, 1), ("a;b\n", "DS1203", 1, 1),
      ("Old event,Legacy event\n", "DS1203", 1, 11),
      ("key\na\n", "DS1203", 1, 1), ("event,evnet\n", "DS1203", 1, 7), ("event,key,key\n", "DS1203", 1, 11),
      ("event,key\ntap,a,b\n", "DS1204", 2, 7), ("event\n\"tap\n", "DS1201", 2, 1), ("event\nt\"ap\n", "DS1201", 2, 2),
      ("event\n\"tap\"x\n", "DS1201", 2, 6), ("event,key\n,a\n", "DS1205", 2, 1),
      ("event,key,action\ntap,a,\n", "DS1205", 2, 5), ("event,key,new key,action\ntap,a,b,or\n", "DS1205", 2, 9),
      ("event,key,action\ntap,a,dorp\n", "DS1205", 2, 7),
      ("event,key,action\ntap,a,add\n", "DS1205", 2, 5),
      ("event,key,new key,values\ntap,a,b,{1}\n", "DS1205", 2, 9),
      ("event,key,new key,default\ntap,a,b,{1\n", "DS1205", 2, 9),
      ("event,key,action,value\ntap,a,drop,1\n", "DS1205", 2, 12),
      ("event,key,new key\ntap,a,b\ntap,a,c\n", "DS1206", 3, 5),
      ("event,new event\ntap,a\ntap,b\n", "DS1206", 3, 5),
      ("event,key,new key,type\ntap,a,x,int\ntap,b,x,bool\n", "DS1206", 3, 5),
      ("event,key,new key,value\ntap,,x,1\ntap,b,x,\n", "DS0103", 2, 6),
      ("event,key,new key,type\ntap,a,x,integer\n", "DS0106", 2, 5),
      ("event\né\ne\u{301}\n", "DS1206", 3, 1),
    ])
  func places(csv: String, code: String, line: Int, column: Int) throws {
    let found = try #require(finding(csv))
    #expect(found.code.rawValue == code)
    #expect(found.position == DocumentDiagnostic.Position(line: line, column: column))
    #expect(found.help != nil && found.file == "plan.csv")
  }

  @Test("finds the columns of a team's own sheet, and says how")
  func ownHeadings() throws {
    let csv =
      "sep=;\n\"Old\nevent\";Property (legacy);Target event name;New Field;Owner;;Event owner\n"
      + "view;scr;screen_viewed;screen_name;ana;;x\n;tab;;tab_name;;y;\n\n;dbg\n"
    let read = try TableImport(Array(csv.utf8), name: "plan.csv")
    #expect(
      read.json == [
        "formatVersion": 1,
        "events": ["view": ["name": "screen_viewed", "parameters": ["scr": "screen_name", "tab": "tab_name"]]],
      ])
    #expect(
      read.reading == "columns: event (`Old\nevent`), key (`Property (legacy)`), new event (`Target event name`), "
        + "new key (`New Field`); not read: `Owner`, column 6, `Event owner`; 2 lines without an event: that of the line above"
    )
    #expect(read.warnings.map(\.code.rawValue) == ["DS1208"] && read.warnings[0].position?.line == 7)
    let chosen = try TableImport(
      Array("what,was,is,type\na,b,c,String\n".utf8),
      columns: ["event": "What", "key": "was", "new key": "is", "type": ""])
    #expect(chosen.json == ["formatVersion": 1, "events": ["a": ["parameters": ["b": "c"]]]])
  }

  @Test("makes one row of the keys that fork, in the order of the lines, and names each pair with its lines")
  func forks() throws {
    let lines = (0..<123).map { "e\($0),siteId,site_id,\ne\($0),site id,site_id,\n" }.joined()
    let read = try TableImport(Array(("event,key,new key,type\n" + lines).utf8))
    #expect(read.warnings.count == 123 && Set(read.warnings.map(\.code.rawValue)) == ["DS1207"])
    #expect(read.warnings[1].notes == ["`siteId` is in line 4"] && read.warnings[1].position?.line == 5)
    guard case .object(let root) = read.json, case .object(let events)? = root["events"] else { return }
    #expect(events["e7"] == ["parameters": ["siteId": ["to": "site_id", "or": ["site id"]]]])
    let meant = try TableImport(Array("event,key,new key,action\na,x,z,\na,y,z,or\n".utf8))
    #expect(meant.warnings.isEmpty)
  }

  @Test("is not taken for what it is not: a workbook, UTF-16, another encoding, bytes")
  func otherFiles() throws {
    for bytes in [[0x50, 0x4B, 3, 4, 0, 0], [0xFF, 0xFE, 0x65, 0], Array("event\n".utf8) + [0xE9, 0x0A], [0, 1, 2]] {
      #expect(finding(bytes.map { UInt8($0) })?.code.rawValue == "DS1201")
    }
  }
}

extension SplitMix64 {
  fileprivate mutating func pick<Element>(_ elements: [Element], else other: Element) -> Element {
    elements.randomElement(using: &self) ?? other
  }

  /// A table whose names and values are what spreadsheets get wrong.
  fileprivate mutating func awkwardTable() -> EventValue {
    let names = [
      "=1+1", "+a", "-b", "@c", "'d", "''=e", "f,g", "h\"i", "j\nk", " l ", "\tm", "n|o", "é", "日本", "\"p\"", "1",
      "true", "null",
    ]
    var events: [String: EventValue] = [:]
    for name in names.shuffled(using: &self).prefix(5) {
      var rows: [String: EventValue] = [:]
      var constants: [String: EventValue] = [:]
      for (index, key) in names.shuffled(using: &self).prefix(6).enumerated() {
        let target = EventValue.string("\(key)\(index)")
        let values: [EventValue] = [
          1, -2, 0.5, true, "", " ", "a", "1", "true", "\"", "{", "=x", "null", ["a": [1, "b"]], [], "x\r\ny",
        ]
        switch Int.random(in: 0..<7, using: &self) {
        case 0: rows[key] = .null
        case 1: rows[key] = target
        case 2: rows[key] = ["to": target, "values": [key: 1, "x": "=y", "": nil], "allow": ["DS0117", "DS0119"]]
        case 3: rows[key] = ["to": target, "default": pick(values, else: 1)]
        case 4: rows[key] = ["to": target, "type": "int", "default": 4]
        case 5: rows[key] = ["to": target, "or": [.string(key + "2"), .string("=" + key)]]
        default: constants[key + "!"] = pick(values + [nil], else: 1)
        }
      }
      var entry: [String: EventValue] = [:]
      if !rows.isEmpty { entry["parameters"] = .object(rows) }
      if !constants.isEmpty { entry["add"] = .object(constants) }
      if Bool.random(using: &self) { entry["name"] = .string(pick(names, else: "x")) }
      if Bool.random(using: &self) { entry["unmapped"] = pick(["keep", "drop", "report"], else: "keep") }
      if Bool.random(using: &self) { entry["onClash"] = "payload" }
      if Bool.random(using: &self) { entry["allow"] = ["DS0112"] }
      events[name] = .object(entry)
    }
    return ["formatVersion": 1, "events": .object(events)]
  }
}
