@_spi(Tools) import DualSendCore
import Foundation
import Testing

@testable import DualSendCommands

@Suite("dualsend parity, and the gate of dualsend plan")
struct ParityVerbTests {
  private let folder: TemporaryFiles

  private static let id = "0190b6f2-7c3a-7f00-8000-00000000000"

  init() throws {
    folder = try TemporaryFiles()
    try folder.write(
      "table.json", #"{"formatVersion":1,"events":{"a":{"name":"b","parameters":{"id":"item_id","n":null}}}}"#)
    try folder.write("old.jsonl", (1...4).map { old($0) }.joined(separator: "\n"))
    try folder.write("new.jsonl", (1...4).map { new($0, item: $0) }.joined(separator: "\n"))
  }

  private func old(_ number: Int) -> String {
    #"{"eventId":"\#(Self.id)\#(number)","name":"a","parameters":{"id":\#(number),"n":1},"time":\#(number)}"#
  }

  private func new(_ number: Int, item: Int) -> String {
    #"{"eventId":"\#(Self.id)\#(number)","eventName":"b","eventTime":\#(number),"payload":{"item_id":\#(item)}}"#
  }

  private func parity(_ more: String...) async -> (CommandStatus, RecordingConsole) {
    let console = RecordingConsole()
    let arguments = [
      "parity", "--old", folder.path("old.jsonl"), "--new", folder.path("new.jsonl"), "--remap",
      folder.path("table.json"),
    ]
    return (await DualSendCommand.run(arguments + more, on: console.console), console)
  }

  @Test("is clean when the streams say the same")
  func same() async {
    let (status, console) = await parity()
    #expect(status == .clean)
    #expect(console.results.contains("a → b"))
  }

  @Test("finds a changed value, and lets it pass within the limit")
  func mismatch() async throws {
    try folder.write("new.jsonl", (1...4).map { new($0, item: min($0, 3)) }.joined(separator: "\n"))
    let (status, console) = await parity()
    #expect(status == .findings)
    #expect(console.results.contains("item_id"))
    #expect(await parity("--max-mismatch", "25%").0 == .clean)
    #expect(await parity("--max-mismatch", "24.9%").0 == .findings)
    #expect(await parity("--ignore", "item_id").0 == .clean)
  }

  @Test("silence is no parity: nothing compared is a finding")
  func nothingCompared() async throws {
    try folder.write("new.jsonl", "")
    #expect(await parity().0 == .findings)
  }

  @Test("takes off the noise that old against old has")
  func calibration() async throws {
    try folder.write("new.jsonl", (1...4).map { new($0, item: min($0, 3)) }.joined(separator: "\n"))
    let again = (1...4).map { old($0).replacingOccurrences(of: #""id":4"#, with: #""id":9"#) }
    try folder.write("again.jsonl", again.joined(separator: "\n"))
    #expect(await parity("--calibrate", folder.path("again.jsonl")).0 == .clean)
  }

  @Test(
    "refuses what makes no sense",
    arguments: [["--max-mismatch", "200%"], ["--ignore", "a..b"], ["--window", "5"], ["--format", "pdf"]])
  func wrongArguments(arguments: [String]) async {
    let console = RecordingConsole()
    let all = ["parity", "--old", "a", "--new", "b", "--remap", "c"] + arguments
    #expect(await DualSendCommand.run(all, on: console.console) == .usage)
  }

  @Test("names the file that is not there")
  func missingFile() async {
    let console = RecordingConsole()
    let arguments = ["parity", "--old", "nowhere", "--new", "nowhere", "--remap", folder.path("table.json")]
    #expect(await DualSendCommand.run(arguments, on: console.console) == .couldNotRun)
    #expect(console.diagnostics.contains("nowhere"))
  }

  private func plan(from old: Int, to new: Int, report: String, limit: String) async throws -> (
    CommandStatus, RecordingConsole
  ) {
    for (name, share, revision) in [("before.json", old, 1), ("after.json", new, 2)] {
      try folder.write(
        name,
        #"{"formatVersion":1,"revision":\#(revision),"salt":"s","shouldSendLogToNewTracker":\#(share),"#
          + #""rules":[{"match":{"events":["fixed.*"]},"shouldSendLogToNewTracker":1}]}"#)
    }
    try folder.write("report.json", report)
    let console = RecordingConsole()
    let arguments = [
      "plan", folder.path("before.json"), folder.path("after.json"), "--parity", folder.path("report.json"),
      "--max-mismatch", limit,
    ]
    return (await DualSendCommand.run(arguments, on: console.console), console)
  }

  @Test("a plan may raise new for an event whose parity is good enough, and not for one whose parity is worse")
  func gate() async throws {
    try folder.write("new.jsonl", (1...4).map { new($0, item: min($0, 3)) }.joined(separator: "\n"))
    let report = await parity("--format", "json").1.results
    #expect(try await plan(from: 5, to: 25, report: report, limit: "25%").0 == .clean)
    let (status, console) = try await plan(from: 5, to: 25, report: report, limit: "1%")
    #expect(status == .findings)
    #expect(console.diagnostics.contains("error[DS0407]: `a` would go to more units of the new tracker"))
  }

  @Test("the gate leaves events alone that the plan does not raise")
  func gateElsewhere() async throws {
    try folder.write("table.json", #"{"formatVersion":1,"events":{"fixed.a":{"name":"b"}}}"#)
    try folder.write("old.jsonl", old(1).replacingOccurrences(of: #""name":"a""#, with: #""name":"fixed.a""#))
    let (status, console) = await parity("--format", "json")
    #expect(status == .findings)
    #expect(try await plan(from: 5, to: 25, report: console.results, limit: "0%").0 == .clean)
  }
}
