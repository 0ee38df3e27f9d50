import DualSendCommandLine
import DualSendCommandTesting
import DualSendTool
import Foundation
import Testing

@Suite("Recorded events of other tools are read", .timeLimit(.minutes(5)))
struct RecordedFormatOptionsTests {
  private let folder: TemporaryFiles
  private let track =
    #"{"type":"track","event":"tap","messageId":"m1","userId":"u","timestamp":"2026-01-01T00:00:00Z","properties":{"id":1}}"#

  init() throws {
    folder = try TemporaryFiles()
  }

  @Test("from lines and from an array, and the format is said")
  func lines() async throws {
    for text in [track + "\n" + track + "\n", "[\n " + track + ",\n " + track + "\n]\n"] {
      let (status, recording) = await dualsend("specify", "--events", try folder.file("events.jsonl", text))
      #expect(status == .clean)
      #expect(recording.results.contains(#""tap""#) && recording.diagnostics.contains("1 event specified from 2"))
      #expect(recording.diagnostics.contains("is read in the format `segment`"))
    }
    let broken = await dualsend("specify", "--events", try folder.file("broken.jsonl", "[\n " + track + ",\n"))
    #expect(broken.status == .findings)
  }

  @Test("by every verb that takes old events")
  func verbs() async throws {
    let events = try folder.file("events.jsonl", track)
    let table = try folder.table(#"{"tap":{"parameters":{"id":"new_id"}}}"#)
    let rollout = try folder.rollout()
    let names = try folder.file("names.csv", "event,key\ntap,id\n")
    for arguments in [
      ["table", "coverage", table, "--events", events], ["remap", table, "--events", events],
      ["simulate", rollout, "--events", events], ["validate", rollout, "--events", events],
      ["table", "draft", "--old", events, "--names", names],
      [
        "golden", "record", "--events", events, "--remap", table, "--rollout", rollout, "--folder",
        folder.path("golden"),
      ],
    ] {
      for format in [[], ["--old-format", "segment"]] {
        let recording = RecordingTerminal()
        _ = await DualSendCommand.run(arguments + format, on: recording.terminal)
        #expect(recording.diagnostics.contains("`segment`"), "\(arguments)")
        #expect(!recording.diagnostics.contains("error"), "\(arguments) \(recording.diagnostics)")
      }
      let other = RecordingTerminal()
      #expect(await DualSendCommand.run(arguments + ["--old-format", "amplitude"], on: other.terminal) != .clean)
      #expect(other.diagnostics.contains(#"event_type is missing"#), "\(arguments) \(other.diagnostics)")
      #expect(other.diagnostics.contains(#"expected {"event_type":…"#), "\(arguments) \(other.diagnostics)")
    }
  }

  @Test("by parity on both sides, in one piece and in shards, and what is no event is told with its line")
  func parity() async throws {
    let table = try folder.table(#"{"tap":{"parameters":{"id":"new_id"}}}"#)
    let new =
      #"{"event":"tap","uuid":"m1","distinct_id":"u","timestamp":"2026-01-01T00:00:00Z","properties":{"new_id":1}}"#
    let old = try folder.file("old.jsonl", track)
    let files = ["--old", old, "--new", try folder.file("new.jsonl", new), "--remap", table]
    for formats in [[], ["--old-format", "segment", "--new-format", "posthog"]] {
      let recording = RecordingTerminal()
      #expect(await DualSendCommand.run(["parity"] + files + formats, on: recording.terminal) == .clean)
      #expect(recording.diagnostics.contains("format `segment`") && recording.diagnostics.contains("format `posthog`"))
    }
    let broken = try folder.file("broken.jsonl", track + "\n" + #"{"batch":[{"type":"track"},\#(track)]}"#)
    let (status, recording) = await dualsend(
      "parity", "--old", broken, "--new", try folder.file("new.jsonl", new), "--remap", table)
    #expect(status == .findings)
    #expect(recording.diagnostics.contains("line 2: batch[0].event is missing"))

    let shards = RecordingTerminal()
    #expect(
      await DualSendCommand.run(
        ["parity", "--shards", "1", "--old", old, "--new", try folder.file("new.jsonl", new)], on: shards.terminal)
        == .clean)
    #expect(shards.results.contains("0\told:1\t{\"eventId\":\"m1\",\"name\":\"tap\""))
    #expect(shards.results.contains("0\tnew:1\t{\"eventId\":\"m1\",\"eventName\":\"tap\""))
  }
}
