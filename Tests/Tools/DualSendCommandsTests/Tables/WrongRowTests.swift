import DualSend
import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendRemapping
import DualSendTool
import Foundation
import Testing

@testable import DualSendCommands

/// What Examples/STAGES.md shows: one row of the sample table with the new key on both sides.
@Suite("One wrong row of a table", .timeLimit(.minutes(5)))
struct WrongRowTests {
  private let folder: TemporaryFiles
  private let rightTable = LegacyFiles.folder.appendingPathComponent("legacy/remapping.json").path
  private let events = LegacyFiles.folder.appendingPathComponent("legacy/events.jsonl").path

  init() throws {
    folder = try TemporaryFiles()
    let right = try String(contentsOfFile: rightTable, encoding: .utf8)
    let wrong = right.replacing(#""item_id": "new_item_id""#, with: #""new_item_id": "new_item_id""#)
    try #require(right != wrong)
    try folder.write("wrong.json", wrong)
  }

  /// Holds the four answers to the right table, which must be clean, beside those to the wrong one.
  private func answer(_ arguments: (_ table: String) -> [String]) async -> RecordingTerminal {
    let (right, wrong) = (RecordingTerminal(), RecordingTerminal())
    #expect(await DualSendCommand.run(arguments(rightTable), on: right.terminal) == .clean)
    #expect(await DualSendCommand.run(arguments(folder.path("wrong.json")), on: wrong.terminal) == .findings)
    return wrong
  }

  @Test("is a row that changes nothing to `validate`")
  func validate() async {
    let terminal = await answer { ["validate", "--strict", $0] }
    #expect(terminal.diagnostics.hasPrefix("warning[DS0112]: this row changes nothing\n"))
    #expect(terminal.diagnostics.contains(#":112:9  events."home.like_button.tap".parameters.new_item_id"#))
  }

  @Test("is a row that never fires, and a key without one, to `coverage`")
  func coverage() async throws {
    let terminal = await answer { ["table", "coverage", $0, "--events", events] }
    #expect(terminal.results.contains("\nnew_item_id           home.like_button.tap  112:9\n"))
    #expect(terminal.results.contains("\nitem_id            6 events, such as home.like_button.tap "))
    #expect(terminal.results.contains("90 of 91 rows fired"))
  }

  @Test("is another payload to `golden verify`")
  func golden() async {
    let files = ["legacy/rollout-3.json", "golden"].map { LegacyFiles.folder.appendingPathComponent($0).path }
    let terminal = await answer {
      ["golden", "verify", "--events", events, "--remap", $0, "--rollout", files[0], "--folder", files[1]]
    }
    let changed = terminal.results.split(separator: "\n").filter { $0.hasPrefix("- ") || $0.hasPrefix("+ ") }
    #expect(changed == [#"-       "new_item_id": "item-00567","#, #"+       "item_id": "item-00567","#])
  }

  @Test("is a field missing and another extra, in each of its events, to `parity`")
  func parity() async throws {
    let count = try writeStreams()
    let terminal = await answer {
      ["parity", "--old", folder.path("old.jsonl"), "--new", folder.path("new.jsonl"), "--remap", $0]
    }
    #expect(count > 0)
    #expect(terminal.results.contains("home.like_button.tap  item_id: \(count) missing\n"))
    #expect(terminal.results.contains("home.like_button.tap  new_item_id: \(count) extra\n"))
  }

  /// Writes what both sinks hold of some events under the right table.
  ///
  /// - Returns: how many events the wrong row is about.
  private func writeStreams() throws -> Int {
    let table = try RemappingTable(reading: InputFile.bytes(rightTable))
    var old: [String] = []
    var new: [String] = []
    var generator = EventIDGenerator()
    for event in try LegacyFiles.events().prefix(1000) {
      let id = EventValue.string(EventID(milliseconds: 0, using: &generator).description)
      let remapped = table.apply(to: event.name, payload: event.parameters)
      let legacy: EventValue = ["eventId": id, "name": .string(event.name), "parameters": .object(event.parameters)]
      let wire: EventValue = ["eventId": id, "eventName": .string(remapped.name), "payload": .object(remapped.payload)]
      old.append(legacy.canonicalText)
      new.append(wire.canonicalText)
    }
    try folder.write("old.jsonl", old.joined(separator: "\n"))
    try folder.write("new.jsonl", new.joined(separator: "\n"))
    return old.count { $0.contains(#""name":"home.like_button.tap""#) }
  }
}
