import DualSend
import DualSendCore
import DualSendRemapping
import Testing

@testable import DualSendDrafting

@Suite("A draft put into a table that is there", .timeLimit(.minutes(5)))
struct TableMergeTests {
  private static let written = """
    {
      "formatVersion": 1,
      "events": {
        "*": { "parameters": { "uid": "user_id" } },
        "tap": {
          "//": "mine",
          "parameters": {
            "id":   "item",   "n": 1e0
          }
        }, "view": {}
      }
    }
    """.replacing(#",   "n": 1e0"#, with: "")

  private func event(_ name: String, _ rows: [(String, String)], newName: String? = nil) throws -> DraftedEvent {
    var event = DraftedEvent(name: name)
    let finding = DraftedEvent.Finding(way: .restyled, isSure: true)
    (event.newName, event.naming) = (newName, finding)
    event.rows = try rows.map { source, target in
      DraftedEvent.Row(
        source: try KeyPathPattern(source), target: try KeyPathPattern(target), type: nil, finding: finding)
    }
    return event
  }

  private func merge(_ events: DraftedEvent..., into text: String = written) throws -> (TableMerge, String) {
    let merge = try TableMerge(TableDraft(events), into: Array(text.utf8), name: "remapping.json")
    return (merge, String(decoding: merge.bytes, as: UTF8.self))
  }

  @Test("adds what is missing behind what is there, and leaves every other byte as it was")
  func adds() throws {
    let (merge, text) = try merge(
      event("tap", [("id", "item"), ("debug", "trace")], newName: "tap.new"), event("view", [("a", "b")]),
      event("open", []))
    #expect(
      text == """
        {
          "formatVersion": 1,
          "events": {
            "*": { "parameters": { "uid": "user_id" } },
            "tap": {
              "//": "mine",
              "parameters": {
                "id":   "item",
                "debug": "trace"
              },
              "name": "tap.new"
            }, "view": { "parameters": { "a": "b" } }, "open": {}
          }
        }
        """)
    #expect(merge.findings.isEmpty)
    #expect(
      merge.added == [
        "open: an entry, nothing changes", "tap: the new name `tap.new`", "tap: `debug` to `trace`", "view: `a` to `b`",
      ])
  }

  @Test("changes no row that is there, and names the place of one that the draft contradicts")
  func contradictions() throws {
    let (merge, text) = try merge(event("tap", [("id", "thing"), ("uid", "account"), ("x", "user_id")]))
    #expect(text == Self.written)
    #expect(merge.added.isEmpty)
    #expect(merge.findings.map(\.code.rawValue) == ["DS1101", "DS1101", "DS1101"])
    #expect(merge.findings.compactMap { $0.position?.line } == [4, 4, 8])
    #expect(merge.findings.last?.position?.column == 9)
  }

  @Test("adds a row for a key that stays, unless the table does more to it")
  func staying() throws {
    let (merge, text) = try merge(event("tap", [("id", "id"), ("uid", "uid"), ("item", "item"), ("x", "x")]))
    #expect(merge.added == ["tap: `x` stays"] && merge.findings.isEmpty)
    #expect(try RemappingTable(reading: text.utf8).warnings.isEmpty)
    let (again, _) = try self.merge(event("tap", [("x", "x")]), into: text)
    #expect(again.added.isEmpty)
  }

  @Test("adds nothing a second time")
  func again() throws {
    let events = try event("tap", [("debug", "trace"), ("c", "d.e")], newName: "n")
    let (_, text) = try merge(events)
    let (second, same) = try merge(events, into: text)
    #expect(second.added.isEmpty && second.findings.isEmpty && same == text)
  }

  @Test("works on one line, and on nothing but an empty table")
  func oneLine() throws {
    let text = try merge(event("tap", [("a", "b")]), into: #"{"formatVersion": 1, "events": {}}"#).1
    #expect(text.hasPrefix(#"{"formatVersion": 1, "events": { "tap": {"#) && text.hasSuffix("} }}"))
    #expect(try RemappingTable(reading: text.utf8).rule(for: "tap").rows.count == 1)
    #expect(throws: DocumentError.self) { try merge(event("tap", []), into: "[]") }
  }
}
