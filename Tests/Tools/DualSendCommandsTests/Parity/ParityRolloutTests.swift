import DualSendCommandLine
import DualSendCommandTesting
import DualSendTool
import Foundation
import Testing

@testable import DualSendCommands

@Suite("The rollout documents that dualsend parity is given", .timeLimit(.minutes(5)))
struct ParityRolloutTests {
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
    try folder.write("table.json", #"{"formatVersion":1,"events":{}}"#)
    try folder.write("old.jsonl", #"{"eventId":"x","name":"a","parameters":{},"unitID":"u","time":1800000000000}"#)
    try folder.write("new.jsonl", #"{"eventId":"y","eventName":"a","eventTime":1800000000000,"payload":{}}"#)
    try folder.write("off.json", document(revision: 1, new: 0))
    try folder.write("on.json", document(revision: 2, new: 100))
  }

  private func document(revision: Int, new: Int) -> String {
    #"{"formatVersion":1,"revision":\#(revision),"salt":"s","shouldSendLogToNewTracker":\#(new)}"#
  }

  private func parity(_ more: String...) async -> (status: CommandStatus, terminal: RecordingTerminal) {
    let terminal = RecordingTerminal()
    let arguments = [
      "parity", "--old", folder.path("old.jsonl"), "--new", folder.path("new.jsonl"), "--remap",
      folder.path("table.json"),
    ]
    return (await DualSendCommand.run(arguments + more, on: terminal.terminal), terminal)
  }

  /// 2027-01-15T08:00:00Z is the time of both events.
  @Test(
    "an event is judged by the revisions of its time, and undecided around an edit",
    arguments: [
      ("2027-01-15T07:00:00Z", [], "1 undecided"), ("2027-01-15T07:00:00Z", ["--late", "30m"], "1 lost from the new"),
      ("2027-01-15T09:00:00Z", ["--late", "0s"], nil), ("2027-01-14T08:00:00Z", [], "1 lost from the new"),
    ] as [(String, [String], String?)])
  func times(published: String, late: [String], expected: String?) async throws {
    try folder.write("new.jsonl", "")
    let terminal = RecordingTerminal()
    let arguments =
      [
        "parity", "--old", folder.path("old.jsonl"), "--new", folder.path("new.jsonl"), "--remap",
        folder.path("table.json"), "--rollout", folder.path("off.json"), "--rollout",
        folder.path("on.json@\(published)"),
      ] + late
    _ = await DualSendCommand.run(arguments, on: terminal.terminal)
    for words in ["1 undecided", "1 lost from the new"] {
      #expect(terminal.results.contains(words) == (words == expected), "\(words): \(terminal.results)")
    }
  }

  @Test("a folder is a history: its files' times say since when each document was there")
  func history() async throws {
    let history = folder.path("history")
    try FileManager.default.createDirectory(atPath: history, withIntermediateDirectories: true)
    for (name, revision, new, time) in [("rollout-1.json", 1, 0, 1e9), ("rollout-2.json", 2, 100, 1.7e9)] {
      try folder.write("history/" + name, document(revision: revision, new: new))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: history + "/" + name)
    }
    let (_, terminal) = await parity("--rollout", history)
    #expect(terminal.results.contains("1 lost from the new"))
    #expect(terminal.results.contains("judged by revisions 1, 2 of the rollout, at most 24 h late"))
  }

  @Test(
    "refuses what it cannot place in time, and says how to",
    arguments: [
      (["off.json", "on.json"], "two rollout documents have no time"),
      (["on.json@yesterday"], "`yesterday` in"), (["empty"], "has no rollout documents"),
      (["missing.json@2027-01-15T07:00:00Z"], "missing.json"), (["table.json"], "DS0"),
    ])
  func refused(rollouts: [String], expected: String) async throws {
    try FileManager.default.createDirectory(atPath: folder.path("empty"), withIntermediateDirectories: true)
    let terminal = RecordingTerminal()
    let arguments =
      [
        "parity", "--old", folder.path("old.jsonl"), "--new", folder.path("new.jsonl"), "--remap",
        folder.path("table.json"),
      ] + rollouts.flatMap { ["--rollout", folder.path($0)] }
    #expect(await DualSendCommand.run(arguments, on: terminal.terminal) != .clean)
    #expect(terminal.diagnostics.contains(expected), "\(terminal.diagnostics)")
  }

  @Test(
    "a time that is none is a wrong argument", arguments: ["24", "-1h", "1.5h", "367d", "h", "9223372036854775807d"])
  func lateness(text: String) async {
    #expect(await parity("--rollout", "r", "--late", text).status == .usage)
  }

  @Test("a file whose name has an @ is read as it is")
  func atSign() async throws {
    try folder.write("a@b.json", document(revision: 7, new: 100))
    #expect(await parity("--rollout", folder.path("a@b.json")).terminal.results.contains("judged by revision 7"))
  }

  @Test("a decision that the document of its revision cannot have made is an error of its own")
  func contradiction() async throws {
    try folder.write(
      "old.jsonl", #"{"decision":"2:old","eventId":"x","name":"a","parameters":{},"unitID":"u","time":1}"#)
    try folder.write("new.jsonl", "")
    let (status, terminal) = await parity("--rollout", folder.path("on.json"))
    #expect(status == .findings)
    #expect(terminal.diagnostics.contains("error[DS0707]"))
    #expect(terminal.results.contains("1 with a decision that their app cannot have made"))
  }
}
