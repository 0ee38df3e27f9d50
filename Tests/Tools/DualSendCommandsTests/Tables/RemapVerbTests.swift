import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendTool
import Foundation
import Testing

@Suite("dualsend remap", .timeLimit(.minutes(5)))
struct RemapVerbTests {
  private let recording = RecordingTerminal()
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
  }

  private func run(_ events: String) async throws -> CommandStatus {
    let table = try folder.table(#"{"tap": {"name": "like", "parameters": {"id": "item"}}}"#)
    let events = try folder.file("events.jsonl", events)
    return await DualSendCommand.run(["remap", table, "--events", events], on: recording.terminal)
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

  @Test("turns new events back into the old ones with --inverse")
  func inverse() async throws {
    let table = try folder.table(
      #"{"*": {"parameters": {"uid": "user"}}, "tap": {"name": "like", "parameters": {"id": "item.id"}, "add": {"v": 2}}}"#
    )
    let old =
      #"{"name":"tap","parameters":{"id":1,"uid":"u","z":[]},"time":5}"# + "\n" + #"{"name":"view","parameters":{}}"#
      + "\n"
    let events = try folder.file("old.jsonl", old)
    #expect(await DualSendCommand.run(["remap", table, "--events", events], on: recording.terminal) == .clean)
    let new = try folder.file("new.jsonl", recording.results)
    let back = RecordingTerminal()
    let arguments = ["remap", table, "--events", new, "--inverse", "--all-remapped"]
    #expect(await DualSendCommand.run(arguments, on: back.terminal) == .clean)
    #expect(back.results == old)
  }

  @Test("counts events that may have looked remapped before they were, forward and with --inverse, which ends with 1")
  func lookedRemapped() async throws {
    let table = try folder.table(#"{"*": {"parameters": {"d": "e"}}}"#)
    let old = try folder.file("old.jsonl", #"{"name":"a","parameters":{"e":2}}"# + "\n" + #"{"name":"a"}"#)
    #expect(await DualSendCommand.run(["remap", table, "--events", old], on: recording.terminal) == .clean)
    #expect(recording.diagnostics.contains(", 1 cannot be undone"))
    let new = try folder.file("new.jsonl", recording.results)
    let back = RecordingTerminal()
    #expect(await DualSendCommand.run(["remap", table, "--events", new, "--inverse"], on: back.terminal) == .findings)
    #expect(back.diagnostics.contains("error[DS0130]: 1 event may have been logged with names or keys"))
  }

  @Test("says of events that the table does not write that they are not given back")
  func strangers() async throws {
    let table = try folder.table(#"{"tap": {"name": "like", "add": {"v": 2}}}"#)
    let events = try folder.file("new.jsonl", #"{"name":"like","parameters":{"v":1}}"#)
    #expect(
      await DualSendCommand.run(["remap", table, "--events", events, "--inverse"], on: recording.terminal) == .findings)
    #expect(recording.results == #"{"name":"tap","parameters":{}}"# + "\n")
    #expect(recording.diagnostics.contains("error[DS0129]: 1 event cannot be a result of this table"))
  }

  @Test("does not undo a table that cannot be undone")
  func notInvertible() async throws {
    let table = try folder.table(#"{"tap": {"parameters": {"a": null, "b": {"to": "c", "type": "int"}}}}"#)
    #expect(await DualSendCommand.run(["remap", table, "--inverse"], on: recording.terminal) == .couldNotRun)
    #expect(recording.diagnostics.hasPrefix("error[DS0128]: the table cannot be undone"))
    #expect(recording.diagnostics.contains("note: `tap`, `a`: the value is dropped"))
    #expect(recording.diagnostics.contains("note: `tap`, `b`: different values may become the same"))
  }

  @Test("keeps unsigned integers, and counts every number that loses digits")
  func digits() async throws {
    let status = try await run(
      #"{"name":"tap","parameters":{"a":18446744073709551615,"b":18446744073709551616,"c":0.1234567890123456789}}"#)
    #expect(status == .clean)
    #expect(
      recording.results
        == #"{"name":"like","parameters":{"a":18446744073709551615,"b":18446744073709552000,"c":0.12345678901234568}}"#
        + "\n")
    #expect(recording.diagnostics.contains("2 lost digits"))
  }

  @Test("writes nothing but JSON lines where JSON is asked for, notes and faults included")
  func json() async throws {
    let table = try folder.table(#"{"tap": {"parameters": {"id": "item", "n": {"to": "m", "type": "int"}}}}"#)
    let events = try folder.file("events.jsonl", #"{"name": "tap", "parameters": {"n": "x"}}"# + "\nnope")
    let status = await DualSendCommand.run(
      ["remap", table, "--events", events, "--format", "json"], on: recording.terminal)
    #expect(status == .findings)
    let lines = recording.diagnostics.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix(#"[{"code":"DS0401""#) == true)
    #expect(
      lines.last
        == #"{"clashes":0,"conversionFailures":1,"irreversible":0,"lossyConversions":0,"malformedLines":1,"remappedEvents":1}"#
    )
    let missing = RecordingTerminal()
    let arguments = ["remap", table, "--events", folder.path("none"), "--format", "json"]
    #expect(await DualSendCommand.run(arguments, on: missing.terminal) == .couldNotRun)
    #expect(missing.diagnostics.hasPrefix(#"[{"code":"DS0400","help":"check the path","message":"cannot read "#))
    #expect(missing.diagnostics.hasSuffix("\"severity\":\"error\"}]\n"))
  }

  @Test("writes lines to a pipe as they are, and fit to be read to a terminal")
  func terminal() async throws {
    let table = try folder.table("{}")
    let events = try folder.file("events.jsonl", "{\"name\":\"a\u{202E}\",\"parameters\":{}}\n")
    let terminal = RecordingTerminal(isTerminal: true)
    for terminal in [recording, terminal] {
      #expect(await DualSendCommand.run(["remap", table, "--events", events], on: terminal.terminal) == .clean)
    }
    #expect(recording.results == "{\"name\":\"a\u{202E}\",\"parameters\":{}}\n")
    #expect(terminal.results == "{\"name\":\"a\\u202e\",\"parameters\":{}}\n")
  }

  @Test("writes nothing with a table that is refused")
  func brokenTable() async throws {
    let table = try folder.table(#"{"tap": {"parameters": {"a": "c", "b": "c"}}}"#)
    #expect(
      await DualSendCommand.run(["remap", table, "--events", "/no/such/file"], on: recording.terminal) == .couldNotRun)
    #expect(recording.results.isEmpty)
    #expect(recording.diagnostics.hasPrefix("error[DS0103]: "))
  }

  @Test("writes as many lines as it reads, however long the stream")
  func longStream() async throws {
    let events = LegacyFiles.folder.appendingPathComponent("legacy/events.jsonl").path
    let table = LegacyFiles.folder.appendingPathComponent("legacy/remapping.json").path
    #expect(await DualSendCommand.run(["remap", table, "--events", events], on: recording.terminal) == .clean)
    #expect(recording.results.utf8.count { $0 == UInt8(ascii: "\n") } == 6000)
  }
}
