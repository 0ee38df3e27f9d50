import DualSendCore
import DualSendRemapping
import Testing

@testable import DualSendDrafting

/// The shapes that teams' sheets have: each is read as it is meant, or refused with the address of the cell.
@Suite("The shapes of sheets", .timeLimit(.minutes(5)))
struct SheetShapesTests {
  private static let header = "Old event;Old parameter;New event;New parameter\n"

  private func addresses(_ csv: String, words: SheetWords = SheetWords()) -> [String] {
    do throws(DocumentError) {
      _ = try TableImport(Array(csv.utf8), name: "plan.csv", words: words)
      return []
    } catch {
      return error.diagnostics.map { $0.message.prefix { $0 != ":" }.description }
    }
  }

  @Test(
    "is refused where a cell is no name, with each address as the spreadsheet shows it",
    arguments: [
      ("home_tap;src;home_tapped;#REF!\nhome_tap;pos;home_tapped;#N/A\npay;amt;#NAME?;amount", ["D2", "D3", "C4"]),
      ("a;b;c;#VALUE!\na;d;c;#DIV/0!\na;e;c;Err:502", ["D2", "D3", "D4"]),
      ("home_tap;src;\"=A2&\"\"ped\"\"\";source\npay;=B2;paid;+amount", ["C2", "B3", "D3"]),
      ("home_tap;src;home_tapped;-\nhome_tap;pos;home_tapped;n/a\nhome_tap;x;home_tapped;same", ["D2", "D3", "D4"]),
      ("a;y;b;(remove)\na;z;b;TBD\na;w;b;?\nold_one;;deprecated;", ["D2", "D3", "D4", "C5"]),
      ("home;\"src, pos\";home_tapped;\"source, position\"\npay / checkout;amt;paid;amount", ["B2", "D2", "A3"]),
      ("home;\"a\nb\";home_tapped;\"c\nd\"\nhome;x;home_tapped;a -> b", ["B2", "D2", "D3"]),
      ("home;s\u{202E}rc;home_tapped;sou\u{AD}rce", ["B2", "D2"]),
      ("home_tap\u{A0}x;src;home_tapped;source\u{200B}", ["A2", "D2"]),
      ("Mar-01;src;1-Mar;source\n2026-05-01;x;y;1.5.2026", ["A2", "C2", "A3", "D3"]),
      ("1.0;01;1e3;TRUE\n1001;1;2001;2", ["A2", "C2", "D2"]),
      ("~~home~~;src;home_tapped;source\n\"home (old)\";pos;home_tapped;position", ["A2", "A3"]),
      ("\n\nhome;x;home_tapped;#REF!", ["D4"]),
    ])
  func refused(rows: String, expected: [String]) {
    #expect(addresses(Self.header + rows + "\n") == expected)
  }

  @Test("and every problem of a sheet is named at once, also those that are no matter of names")
  func several() {
    let csv = "event;key;new key;action;default\ntap;a;#REF!;move;\ntap;b;c;dorp;\ntap;d;e;move;FALSCH\ntap;f;;move;\n"
    #expect(addresses(csv) == ["C2", "D3", "E4", "B5"])
  }

  @Test("is read without what is no line: titles, sections, sums and the header again")
  func leftOut() throws {
    let csv =
      "Tracking plan v3 (2026-05-01);;;\n;;;\n" + Self.header
      + "Home screen;;;\nhome_tap;src;home_tapped;source\n;;;\n\u{FEFF}" + Self.header
      + "Checkout;;;\npay;amt;paid;amount\nview;;;\n;id;;item\nTotal;2;;\nLast change: 2026-05-01;;;\n"
    let read = try TableImport(Array(csv.utf8))
    #expect(
      read.json == [
        "formatVersion": 1,
        "events": [
          "home_tap": ["name": "home_tapped", "parameters": ["src": "source"]],
          "pay": ["name": "paid", "parameters": ["amt": "amount"]], "view": ["parameters": ["id": "item"]],
        ],
      ])
    #expect(
      read.leftOut.map { String($0.prefix { $0 != "," }) } == [
        "line 1 is above the header", "line 2 is above the header", "line 7 is the header again", "line 4", "line 8",
        "line 12",
        "line 13",
      ])
    #expect(read.warnings.isEmpty)
  }

  @Test("has words of its own only where an option says what they mean")
  func words() throws {
    let csv = Self.header + "home;src;home_tapped;same\nhome;pos;home_tapped;-\n"
    #expect(addresses(csv) == ["D2", "D3"])
    let read = try TableImport(Array(csv.utf8), words: SheetWords(same: ["same"], none: ["-"]))
    #expect(
      read.json == [
        "formatVersion": 1,
        "events": [
          "home": ["name": "home_tapped", "parameters": ["pos": .null, "src": DraftedEvent.Row.staying("src")]]
        ],
      ])
    #expect(addresses(Self.header + "home;;-;\n", words: SheetWords(none: ["-"])) == ["C2"])
    // The app's own names may be such words, and may stay.
    #expect(addresses(Self.header + "delete;x;delete;x\nremove;total;removed_item;sum\n").isEmpty)
  }

  @Test("takes a line for reviewed only by the words that its first row names")
  func review() throws {
    func warnings(_ word: String) throws -> Int {
      let csv = "event;key;new event;new key;\(TableSheet.reviewHeading)\nhome;src;home_tapped;source;\(word)\n"
      return try TableImport(Array(csv.utf8)).warnings.count { $0.code.rawValue == "DS1209" }
    }
    for word in ["ok", "OK", "yes", "done", "approved", "reviewed", "sure", ""] {
      #expect(try warnings(word) == 0, "\(word)")
    }
    for word in ["no", "wrong", "reject", "check?", "check", "x"] { #expect(try warnings(word) == 1, "\(word)") }
    let status = Self.header.replacing("\n", with: ";Status\n") + "home;src;home_tapped;source;rejected\n"
    #expect(addresses(status) == ["E1"])
    let chosen = try TableImport(Array(status.utf8), columns: ["review": "Status"])
    #expect(chosen.warnings.map(\.code.rawValue) == ["DS1209"])
    #expect(try TableImport(Array(status.utf8), columns: ["review": ""]).warnings.isEmpty)
  }

  @Test("survives a spreadsheet: what it would change is marked, and the mark is taken off")
  func survives() throws {
    let table = #"""
      {"formatVersion": 1, "events": {"007": {"name": "1.50", "parameters": {
        "true": {"to": "1-2", "default": true}, "c": {"to": "d", "default": "007"}, "e": {"to": "f", "default": 1.5},
        "g": {"to": "'h", "default": "TRUE"}, "i": {"to": "j", "default": -3}},
        "add": {"m": 12345678901234567, "n": "1/2"}}}}
      """#
    let csv = try TableExport(Array(table.utf8)).csv
    #expect(try TableImport(Array(csv.utf8)).json == JSONReader().value(table.utf8))
    // What spreadsheets take for a number, a boolean or a date.
    let cells = csv.split(separator: "\r\n").dropFirst().flatMap { $0.split(separator: ",") }
    for cell in cells where !cell.hasPrefix("\"") && !cell.hasPrefix("'") {
      #expect(!SheetCell.isChanged(bySpreadsheet: String(cell)), "\(cell)")
    }
  }
}
