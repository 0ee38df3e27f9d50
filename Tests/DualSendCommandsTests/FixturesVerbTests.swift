import DualSendCommands
import EventModel
import Foundation
import Platform
import Testing

@Suite("dualsend fixtures")
struct FixturesVerbTests {
  private static let committed = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  private let recording = RecordingConsole()
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fixtures-\(UUID())")

  private func run(_ arguments: String...) async -> CommandStatus {
    await DualSendCommand.run(["fixtures"] + arguments, on: recording.console)
  }

  private static func legacyEvents() throws -> [[String: EventValue]] {
    try LineReader(committed.appendingPathComponent("legacy/events.jsonl")).map { line in
      guard case .object(let members) = try JSONReader().value(line.bytes) else { return [:] }
      return members
    }
  }

  @Test("gives the committed files byte for byte")
  func committedFilesAreCurrent() async {
    #expect(await run("--check", "--out", Self.committed.path) == .clean)
  }

  @Test("writes files that its own check accepts")
  func writes() async throws {
    #expect(await run("--out", folder.path) == .clean)
    #expect(await run("--check", "--out", folder.path) == .clean)
    try FileManager.default.removeItem(at: folder)
  }

  @Test("names each file that differs or is missing and ends with 1")
  func findsDifferences() async throws {
    _ = await run("--out", folder.path)
    try Data("{}".utf8).write(to: folder.appendingPathComponent("legacy/rollout-3.json"))
    try FileManager.default.removeItem(at: folder.appendingPathComponent("legacy/remapping.json"))
    #expect(await run("--check", "--out", folder.path) == .findings)
    #expect(
      recording.results.hasSuffix("legacy/remapping.json\nlegacy/rollout-3.json\n2 files differ below \(folder.path)\n")
    )
    try FileManager.default.removeItem(at: folder)
  }

  @Test("gives other events for another seed")
  func seeds() async {
    #expect(await run("--check", "--seed", "1", "--format", "json", "--out", Self.committed.path) == .findings)
    #expect(recording.results == #"{"differ":["legacy/events.jsonl"]}"# + "\n")
  }

  @Test("covers enough names and units, and some events without a unit")
  func variety() throws {
    let events = try Self.legacyEvents()
    #expect(events.count == 6000)
    #expect(Set(events.compactMap { $0["name"] }).count >= 36)
    #expect(Set(events.compactMap { $0["unitID"] }).count == 450)
    #expect(events.contains { $0["unitID"] == nil })
  }

  @Test("holds what legacy payloads hold: text as numbers, null, lists, nested objects, all kinds of text")
  func oddities() throws {
    let parameters = try Self.legacyEvents().compactMap { event -> [String: EventValue]? in
      if case .object(let parameters)? = event["parameters"] { parameters } else { nil }
    }
    #expect(parameters.contains { $0.values.contains(.null) })
    for type in ["int", "double", "bool", "string", "array", "object"] {
      #expect(parameters.contains { $0.values.contains { $0.typeName == type } }, "no \(type)")
    }
    let text = try String(
      contentsOf: Self.committed.appendingPathComponent("legacy/events.jsonl"), encoding: .utf8)
    for sample in ["抹茶", "👩‍👩‍👧", "e\u{301}", #"\n"#, #"\\"#] {
      #expect(text.utf8.firstRange(of: Array(sample.utf8)) != nil, "no \(sample)")
    }
  }
}
