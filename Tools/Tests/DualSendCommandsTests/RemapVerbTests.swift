import DualSendCommands
import Foundation
import Testing

@Suite("dualsend remap")
struct RemapVerbTests {
  private let recording = RecordingConsole()
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  private func run(_ events: String) async throws -> CommandStatus {
    let table = try folder.table(#"{"tap": {"name": "like", "parameters": {"id": "item"}}}"#)
    let events = try folder.file("events.jsonl", events)
    return await DualSendCommand.run(["remap", table, events], on: recording.console)
  }

  @Test("rewrites name and parameters and leaves the rest of each line")
  func rewrites() async throws {
    let status = try await run(
      #"""
      {"eventId": "e1", "name": "tap", "parameters": {"id": 1}, "time": 5, "unitID": "u"}
      {"name": "view"}

      """#)
    #expect(status == .clean)
    #expect(
      recording.results == #"""
        {"eventId":"e1","name":"like","parameters":{"item":1},"time":5,"unitID":"u"}
        {"name":"view","parameters":{}}

        """#)
    #expect(
      recording.diagnostics
        == "2 events remapped, 0 lines skipped; 0 clashed, 0 could not be converted, 0 lost digits\n")
  }

  @Test("writes the good lines of a file with bad ones, names those, and ends with 1")
  func malformed() async throws {
    #expect(try await run("nope\n" + #"{"name": "tap"}"#) == .findings)
    #expect(recording.results == #"{"name":"like","parameters":{}}"# + "\n")
    #expect(recording.diagnostics.contains("error[DS0401]: line 1 is not a legacy event: unexpected `o`"))
  }

  @Test("writes nothing with a table that is refused")
  func brokenTable() async throws {
    let table = try folder.table(#"{"tap": {"parameters": {"a": "c", "b": "c"}}}"#)
    #expect(await DualSendCommand.run(["remap", table, "/no/such/file"], on: recording.console) == .couldNotRun)
    #expect(recording.results.isEmpty)
    #expect(recording.diagnostics.hasPrefix("error[DS0103]: "))
  }

  @Test("writes as many lines as it reads, however long the stream")
  func longStream() async throws {
    let events = LegacyFiles.folder.appendingPathComponent("legacy/events.jsonl").path
    let table = LegacyFiles.folder.appendingPathComponent("legacy/remapping.json").path
    #expect(await DualSendCommand.run(["remap", table, events], on: recording.console) == .clean)
    #expect(recording.results.utf8.count { $0 == UInt8(ascii: "\n") } == 6000)
  }
}
