import DualSendCommandLine
import DualSendCommandTesting
import DualSendCommands
import DualSendTool
import DualSendTracking
import Foundation
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite("Pipes and devices in the place of files", .timeLimit(.minutes(5)))
struct PipesAndDevicesTests {
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
    try folder.write("table.json", #"{"formatVersion":1,"events":{"a":{"name":"new.a"}}}"#)
    try folder.write(
      "rollout.json",
      #"{"formatVersion":1,"revision":1,"salt":"s","shouldSendLogToOldLogger":100,"shouldSendLogToNewTracker":100}"#)
    try folder.write("events.jsonl", #"{"name":"a","parameters":{},"unitID":"u","time":1}"# + "\n")
  }

  private func run(_ arguments: [String]) async -> (CommandStatus, RecordingTerminal) {
    let terminal = RecordingTerminal()
    return (await DualSendCommand.run(arguments, on: terminal.terminal), terminal)
  }

  private func replay(_ events: String) -> [String] {
    [
      "replay", "--events", events, "--remap", folder.path("table.json"), "--rollout", folder.path("rollout.json"),
      "--endpoint", "http://127.0.0.1:9/events", "--database", folder.path("db.sqlite"), "--output",
      folder.path("old.jsonl"), "--timeout", "0",
    ]
  }

  @Test(
    "a pipe as a database, or beside one, is refused at once with 2 by every verb that reads it",
    arguments: ["", "-wal", "-shm", "-reserve"])
  func pipe(suffix: String) async throws {
    if !suffix.isEmpty {
      try SQLiteTrackingDataStore(file: URL(fileURLWithPath: folder.path("db.sqlite"))).close()
      for other in ["-wal", "-shm", "-reserve"] {
        try? FileManager.default.removeItem(atPath: folder.path("db.sqlite") + other)
      }
    }
    #expect(mkfifo(folder.path("db.sqlite") + suffix, 0o600) == 0)
    let database = folder.path("db.sqlite")
    let verbs = [
      ["db", "check", database], ["db", "letters", database],
      ["db", "salvage", database, "--output", folder.path("out")],
      replay(folder.path("events.jsonl")),
    ]
    for verb in verbs {
      let (status, terminal) = await run(verb)
      #expect(status == .couldNotRun, "\(verb)")
      #expect(
        terminal.diagnostics.contains("db.sqlite\(suffix) is a pipe, a socket or a device"), "\(terminal.diagnostics)")
    }
  }

  @Test("a device without an end is refused as a stream of events, as a document and as a key")
  func device() async throws {
    let endless = "/dev/zero"
    let verbs = [
      ["table", "draft", "--old", endless, "--names", folder.path("table.json")],
      ["parity", "--old", endless, "--new", folder.path("events.jsonl"), "--remap", folder.path("table.json")],
      ["simulate", folder.path("rollout.json"), "--events", endless], ["validate", endless],
      replay(endless),
    ]
    for verb in verbs {
      let (status, terminal) = await run(verb)
      #expect(status == .couldNotRun, "\(verb)")
      #expect(!terminal.diagnostics.isEmpty)
    }
    #expect(
      await run(["simulate", folder.path("rollout.json"), "--events", "/dev/null"]).0 == .findings, "it has no event")
  }
}
