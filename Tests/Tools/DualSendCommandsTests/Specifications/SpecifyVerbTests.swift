import DualSendCodeGeneration
import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendTool
import Foundation
import Testing

@Suite("dualsend specify", .timeLimit(.minutes(5)))
struct SpecifyVerbTests {
  private let recording = RecordingTerminal()
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  private func run(_ arguments: String...) async -> CommandStatus {
    await DualSendCommand.run(["specify"] + arguments, on: recording.terminal)
  }

  @Test("drafts what generates code from the sample events, as JSON and as Markdown")
  func sampleEvents() async throws {
    let events = LegacyFiles.folder.appendingPathComponent("legacy/events.jsonl").path
    // One key has integers and strings.
    #expect(await run("--events", events) == .findings)
    let drafted = try EventSpecification(reading: recording.results.utf8)
    #expect(drafted.events.count > 40)
    #expect(try !EventCodeGenerator().code(for: drafted).text.isEmpty)
    #expect(await run("--events", events, "--output", folder.path("Events") + "/") == .findings)
    #expect(try EventSpecification(contentsOf: URL(fileURLWithPath: folder.path("Events"))) == drafted)
  }

  @Test("prints no value of an event unless lists are to be closed")
  func values() async throws {
    let lines = (0..<8).map { #"{"name":"e","parameters":{"a":"\#($0 % 2 == 0 ? "red" : "blue")"}}"# }
    try folder.write("events.jsonl", lines.joined(separator: "\n"))
    #expect(await run("--events", folder.path("events.jsonl")) == .clean)
    #expect(!recording.results.contains("red"))
    #expect(await run("--events", folder.path("events.jsonl"), "--values", "2") == .clean)
    #expect(recording.results.contains(#""values": ["blue", "red"]"#))
  }

  @Test("exits with 1 where something is left to decide, and writes over nothing")
  func undecided() async throws {
    try folder.write(
      "events.jsonl", "{\"name\":\"e\",\"parameters\":{\"a\":1}}\n{\"name\":\"e\",\"parameters\":{\"a\":\"x\"}}")
    #expect(await run("--events", folder.path("events.jsonl"), "--output", folder.path("spec.json")) == .findings)
    #expect(recording.diagnostics.contains("warning[DS0315]"))
    #expect(
      await run("--events", folder.path("events.jsonl"), "--output", folder.path("spec.json")) == .couldNotRun)
    #expect(recording.diagnostics.contains("already exists"))
  }

  @Test("drafts of two names that are the same to Unicode one, so that code can be generated")
  func equivalentNames() async throws {
    let lines = ["\u{E9}", "e\u{301}"].map { #"{"name":"\#($0)","parameters":{"\#($0)":1}}"# }
    try folder.write("events.jsonl", lines.joined(separator: "\n"))
    #expect(await run("--events", folder.path("events.jsonl")) == .findings)
    #expect(recording.diagnostics.contains("is left out: another name is canonically equivalent"))
    let drafted = try EventSpecification(reading: recording.results.utf8)
    #expect(drafted.events.count == 1)
    #expect(try !EventCodeGenerator().code(for: drafted).text.isEmpty)
  }

  @Test("gives files names that every file system takes")
  func fileNames() async throws {
    let names = ["../up", "A", "a", ".hidden", "readme", "é"]
    try folder.write("events.jsonl", names.map { #"{"name":"\#($0)","parameters":{}}"# }.joined(separator: "\n"))
    #expect(await run("--events", folder.path("events.jsonl"), "--output", folder.path("Events") + "/") == .clean)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("Events")).sorted()
    #expect(files == ["%2E.%2Fup.md", "%2Ehidden.md", "%C3%A9.md", "A.md", "a-2.md", "readme-2.md"])
    #expect(try EventSpecification(contentsOf: URL(fileURLWithPath: folder.path("Events"))).events.count == 6)
  }
}
