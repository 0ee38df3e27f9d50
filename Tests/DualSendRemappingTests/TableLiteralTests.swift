import DualSendCore
import DualSendTables
import Foundation
import Testing

@testable import DualSendRemapping

@Suite("Tables written in Swift", .timeLimit(.minutes(5)))
struct TableLiteralTests {
  /// What `Fixtures/remapping/valid/home.json` says.
  private static let home: RemappingTable = [
    "*": .init(parameters: ["uid": "user_id"]),
    "home.like_button.tap": .init(
      name: "home.like.tap",
      parameters: [
        "item_id": "new_item_id",
        "pos": .init(to: "position", type: .int),
        "liked": .init(to: "is_liked", values: ["1": true, "0": false]),
        "debug": nil,
        "ctx.screen": "screen.name",
      ],
      add: ["schema": 2],
      unmapped: .keep),
  ]

  @Test("a literal says what the document of the same words says")
  func sameAsDocument() throws {
    let read = try RemappingTable(reading: Data(contentsOf: fixtures.appending(path: "remapping/valid/home.json")))
    #expect(Self.home.json == read.json)
    #expect(Self.home.problems.isEmpty)
    #expect(Self.home.warnings.isEmpty)
  }

  @Test("one renamed key and one renamed event need one line")
  func short() {
    let table: RemappingTable = [
      "app.open": .init(name: "app.launch"), "cart.view": .init(parameters: ["sku": "item_id"]),
    ]
    #expect(table.apply(to: "app.open", payload: ["a": 1]).name == "app.launch")
    #expect(table.apply(to: "cart.view", payload: ["sku": "x"]).payload == ["item_id": "x"])
    #expect(RemappingTable([:]).json == RemappingTable().json)
  }

  @Test("every word of an entry has its argument")
  func everyWord() throws {
    let table: RemappingTable = [
      "e": .init(
        parameters: ["a": .init(to: "b", type: .double, default: 1), "items[].id": "goods[].id"],
        add: ["since": .date(Date(timeIntervalSince1970: 0))], unmapped: .drop, onClash: .payload)
    ]
    #expect(
      table.json == """
        {
          "formatVersion": 1,
          "events": {
            "e": {
              "parameters": {
                "a": { "to": "b", "type": "double", "default": 1 },
                "items[].id": "goods[].id"
              },
              "add": { "since": "1970-01-01T00:00:00.000Z" },
              "onClash": "payload",
              "unmapped": "drop"
            }
          }
        }

        """)
  }

  @Test(
    "what a literal exports does the same to every payload",
    arguments: try FileManager.default.contentsOfDirectory(atPath: fixtures.appending(path: "golden").path)
      .filter { $0.hasSuffix(".json") }.sorted())
  func roundTrip(name: String) throws {
    let read = try RemappingTable(reading: Self.home.json.utf8)
    let golden = try JSONReader().value(Data(contentsOf: fixtures.appending(path: "golden/" + name)))
    let inputs = golden.objects
    #expect(!inputs.isEmpty)
    for payload in inputs {
      for event in ["home.like_button.tap", "another"] {
        #expect(Self.home.apply(to: event, payload: payload) == read.apply(to: event, payload: payload))
        #expect(Self.home.trace(event, payload: payload).trace == read.trace(event, payload: payload).trace)
      }
    }
  }

  @Test("every valid table exports a document that does the same", arguments: try fixtureNames(in: "remapping/valid"))
  func fixture(name: String) throws {
    let table = try RemappingTable(reading: Data(contentsOf: fixtures.appending(path: "remapping/valid/" + name)))
    let again = try RemappingTable(reading: table.json.utf8)
    #expect(again.json == table.json)
    for event in Array(table.rules.keys) + ["another"] {
      #expect(again.rule(for: event).inOrder == table.rule(for: event).inOrder)
    }
  }

  @Test("so does every random table", arguments: UInt64(0)..<300)
  func random(seed: UInt64) throws {
    var random = RandomTables(seed: seed, invertibleOnly: false)
    let table = random.table()
    let again = try RemappingTable(reading: table.json.utf8)
    #expect(Set(again.rules.keys) == Set(table.rules.keys))
    for _ in 0..<30 {
      let (name, payload) = (random.event(), random.payload())
      try #require(again.apply(to: name, payload: payload) == table.apply(to: name, payload: payload))
    }
  }
}

@Suite("Literals with mistakes", .timeLimit(.minutes(5)))
struct TableLiteralProblemTests {
  private func table(_ entries: KeyValuePairs<String, RemappingTable.Entry>) -> RemappingTable {
    RemappingTable(literal: entries.map { ($0.key, $0.value) }, file: "Shop/Table.swift")
  }

  @Test("a refused row is left out and named, and the others stay")
  func leftOut() {
    let table = table(["e": .init(name: "f", parameters: ["a": "x", "b": "x", "c": "y"])])
    #expect(
      table.problems.map(\.description) == [
        """
        error[DS0103]: two rows write `x`
          --> Shop/Table.swift  events.e.parameters.b
           = note: `a` already writes it
           = help: rename one of them
        """
      ])
    #expect(table.apply(to: "e", payload: ["a": 1, "b": 2, "c": 3]).payload == ["x": 1, "b": 2, "y": 3])
    #expect(table.apply(to: "e", payload: [:]).name == "f")
  }

  @Test(
    "each mistake that a document can have is found",
    arguments: [
      ("DS0101", .init(parameters: ["a..b": "c"]), .init()),
      ("DS0101", .init(parameters: ["a": ""]), .init()),
      ("DS0102", .init(parameters: ["a": "b", "a": "c"]), .init(parameters: ["a": "b"])),
      ("DS0103", .init(add: ["a": 1, "a": 2]), .init(add: ["a": 1])),
      ("DS0104", .init(parameters: ["a": "b", "a.c": "d"]), .init(parameters: ["a": "b"])),
      ("DS0105", .init(parameters: ["a": "x", "b": "x.y"]), .init(parameters: ["a": "x"])),
      ("DS0107", .init(parameters: ["a": .init(to: "b", values: [:])]), .init()),
      ("DS0107", .init(parameters: ["a": .init(to: "b", type: .int, values: ["1": "one"])]), .init()),
      (
        "DS0107", .init(parameters: ["a": .init(to: "b", values: ["1": 1, "1": 2])]),
        .init(parameters: ["a": .init(to: "b", values: ["1": 1])])
      ),
      ("DS0108", .init(parameters: ["a[]": "b"]), .init()),
      ("DS0110", .init(name: ""), .init()),
      ("DS0111", .init(parameters: ["a": .init(to: "b", default: .null)]), .init()),
      ("DS0102", .init(parameters: ["//": "b"]), .init()),
    ] as [(String, RemappingTable.Entry, RemappingTable.Entry)])
  func mistake(code: String, entry: RemappingTable.Entry, accepted: RemappingTable.Entry) {
    let table = table(["e": entry])
    #expect(table.problems.map(\.code.rawValue) == [code])
    #expect(table.problems.allSatisfy { $0.position == nil && !$0.path.steps.isEmpty })
    #expect(table.json == self.table(["e": accepted]).json)
  }

  @Test("an entry that is refused is left out whole")
  func entries() {
    let table = table([
      "a*": .init(name: "b"), "c": .init(name: "d"), "c": .init(name: "e"), "*": .init(name: "f"),
    ])
    #expect(table.problems.map(\.code.rawValue) == ["DS0110", "DS0110", "DS0110"])
    #expect(table.json == self.table(["c": .init(name: "d")]).json)
  }

  @Test("more mistakes than a report holds are all left out")
  func many() {
    let entries = (0..<250).map { ("e\($0)", RemappingTable.Entry(name: "n\($0)", parameters: ["a": "x", "b": "x"])) }
    let table = RemappingTable(literal: entries, file: nil)
    #expect(table.problems.count == 250)
    #expect(table.apply(to: "e249", payload: ["a": 1, "b": 2]).payload == ["x": 1, "b": 2])
  }

  @Test("a row that changes nothing is a warning, as in a document")
  func warning() {
    let table: RemappingTable = ["e": .init(parameters: ["a": "a"])]
    #expect(table.warnings.map(\.code) == [.idleRow])
    #expect(table.problems.isEmpty)
  }
}

extension EventRule {
  /// The rule with its rows sorted by source, because their order means nothing.
  fileprivate var inOrder: EventRule {
    EventRule(
      name: name, rows: rows.sorted { $0.source < $1.source }, constants: constants, unmapped: unmapped,
      clashPolicy: clashPolicy)
  }
}

extension EventValue {
  /// Every object in it, itself included.
  fileprivate var objects: [[String: EventValue]] {
    switch self {
    case .object(let members): [members] + members.values.flatMap(\.objects)
    case .array(let elements): elements.flatMap(\.objects)
    default: []
    }
  }
}
