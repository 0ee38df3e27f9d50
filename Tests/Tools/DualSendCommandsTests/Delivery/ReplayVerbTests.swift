import CustomDump
import DualSendCollector
import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendTool
import Foundation
import Testing

@testable import DualSendCommands

@Suite("dualsend replay", .timeLimit(.minutes(5)))
final class ReplayVerbTests {
  private let folder: URL
  private let collector: CollectorServer

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("replay-tests-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    collector = CollectorServer()
    try write("table.json", #"{"formatVersion":1,"events":{"a":{"name":"new.a","parameters":{"id":"item_id"}}}}"#)
    try write("both.json", rollout(old: 100, new: 100))
    try write("events.jsonl", lines(1...5))
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  private func rollout(old: Int, new: Int) -> String {
    #"{"formatVersion":1,"revision":1,"salt":"s","shouldSendLogToOldLogger":\#(old),"#
      + #""shouldSendLogToNewTracker":\#(new)}"#
  }

  private func lines(_ numbers: ClosedRange<Int>) -> String {
    numbers.map { #"{"name":"a","parameters":{"id":\#($0)},"unitID":"u\#($0)","time":\#($0)}"# + "\n" }.joined()
  }

  private func replay(
    events: String = "events.jsonl", table: String = "table.json", rollout: String = "both.json", endpoint: URL?,
    timeout: Int = 120, _ more: String...
  ) async throws -> (status: CommandStatus, terminal: RecordingTerminal) {
    let terminal = RecordingTerminal()
    let endpoint = try #require(endpoint)
    let arguments = [
      "replay", "--events", path(events), "--remap", path(table), "--rollout", path(rollout), "--endpoint",
      endpoint.absoluteString, "--database", path("db.sqlite"), "--output", path("old.jsonl"), "--timeout",
      "\(timeout)",
    ]
    return (await DualSendCommand.run(arguments + more, on: terminal.terminal), terminal)
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func oldLog() throws -> [EventValue] {
    try String(contentsOfFile: path("old.jsonl"), encoding: .utf8).split(separator: "\n").map {
      try JSONReader().value($0.utf8)
    }
  }

  @Test("says which payload nests more than an event may, and ends with 1")
  func tooDeep() async throws {
    let deep = String(repeating: "[", count: 12) + String(repeating: "]", count: 12)
    let flat = String(deep.dropFirst().dropLast())
    try write(
      "events.jsonl",
      [flat, deep, deep].enumerated().map {
        #"{"name":"a","parameters":{"x":\#($1)},"unitID":"u","time":\#($0)}"# + "\n"
      }
      .joined())
    try await collector.start()
    let (status, terminal) = try await replay(endpoint: await collector.url("/events"))
    await collector.stop()
    #expect(status == .findings)
    #expect(terminal.diagnostics.contains("events.jsonl:2:1"))
    #expect(
      terminal.diagnostics.contains("DS0424") && terminal.diagnostics.contains("2 events with more than 12 containers"))
  }

  @Test(
    "decides by the country and the time that it is told",
    arguments: [
      ("JP", "2026-11-30T00:00:00Z", 0), ("JP", "2026-12-01T00:00:00Z", 5), ("US", "2026-12-01T00:00:00Z", 0),
    ])
  func context(country: String, time: String, arrived: Int) async throws {
    try write(
      "japan.json",
      #"{"formatVersion":1,"revision":1,"salt":"s","rules":[{"match":{"country":["JP"]},"shouldSendLogToNewTracker":"#
        + #"{"schedule":[{"from":"2026-12-01T00:00:00Z","percentage":100}]}}]}"#)
    try await collector.start()
    let (status, _) = try await replay(
      rollout: "japan.json", endpoint: await collector.url(), "--country", country, "--at", time)
    #expect(status == .clean)
    #expect(await collector.events.count == arrived)
  }

  @Test("sends every line to both sinks under one id, and counts it")
  func bothSinks() async throws {
    try await collector.start()
    let (status, terminal) = try await replay(endpoint: await collector.url())
    #expect(status == .clean)
    let events = await collector.events
    expectNoDifference(events.map(\.name), Array(repeating: "new.a", count: 5))
    expectNoDifference(events.map(\.payload), (1...5).map { ["item_id": .int($0)] })
    let old = try oldLog()
    expectNoDifference(
      old.first,
      [
        "decision": .string(events.first?.decision?.description ?? ""),
        "eventId": .string(events.first?.id.description ?? ""), "name": "a", "parameters": ["id": 1], "time": 1,
        "unitID": "u1",
      ])
    #expect(old.count == 5)
    #expect(terminal.results.contains("ledger: accepted 5 = delivered 5 + dropped 0 + dead-lettered 0 + pending 0"))
    await collector.stop()
  }

  @Test("sends in the format that the collector speaks", arguments: CollectorFormat.allCases)
  func formats(_ format: CollectorFormat) async throws {
    let collector = CollectorServer(CollectorConfiguration(format: format))
    try await collector.start()
    let (status, terminal) = try await replay(endpoint: await collector.url(), "--wire-format", format.rawValue)
    #expect(status == .clean, "\(terminal.diagnostics)")
    let payloads = await collector.events.map(\.payload)
    expectNoDifference(payloads, (1...5).map { ["item_id": .int($0)] })
    await collector.stop()
  }

  @Test("names a malformed line by its number, skips it, sends the rest, and ends with 1")
  func malformedLine() async throws {
    try await collector.start()
    try write("events.jsonl", lines(1...2) + #"{"name":"a","parameters":{"id":,}}"# + "\n" + lines(3...3))
    let (status, terminal) = try await replay(endpoint: await collector.url())
    #expect(status == .findings)
    #expect(terminal.diagnostics.contains("error[DS0401]: line 3 is not a legacy event"))
    #expect(terminal.diagnostics.contains("events.jsonl:3:32"))
    #expect(await collector.totals.accepted == 3)
    await collector.stop()
  }

  @Test(
    "sends nothing when the table or the rollout is broken",
    arguments: [
      ("table.json", #"{"formatVersion":1,"events":{"a":{"parameters":{"x":"z","y":"z"}}}}"#, "DS0103"),
      ("both.json", #"{"formatVersion":1,"revision":1,"salt":"s","shouldSendLogToOldLogger":0}"#, "error[DS02"),
      ("both.json", "{", "DS0001"),
    ])
  func brokenDocument(file: String, text: String, code: String) async throws {
    try await collector.start()
    try write(file, text)
    let (status, terminal) = try await replay(endpoint: await collector.url())
    #expect(status == .couldNotRun)
    #expect(terminal.diagnostics.contains(code))
    #expect(await collector.totals.requests == 0)
    #expect(!FileManager.default.fileExists(atPath: path("old.jsonl")))
    await collector.stop()
  }

  @Test("keeps everything when the endpoint refuses, says how to go on, and delivers when it is run again")
  func refusedEndpoint() async throws {
    let port = try await collector.start()
    await collector.stop()
    let endpoint = URL(string: "http://127.0.0.1:\(port)/events")
    let (refused, terminal) = try await replay(endpoint: endpoint, timeout: 0)
    #expect(refused == .couldNotRun)
    #expect(terminal.diagnostics.contains("error[DS0402]: 5 events not delivered"))
    #expect(terminal.diagnostics.contains("run the same command again"))

    try await collector.start()
    let (status, second) = try await replay(endpoint: await collector.url())
    #expect(status == .clean)
    #expect(await collector.receivedIDs.count == 5)
    #expect(try oldLog().count == 5)
    #expect(second.diagnostics.contains("5 lines of"))
    #expect(second.results.contains("ledger: accepted 5 = delivered 5"))
    await collector.stop()
  }

  @Test("sends nothing twice when it is run again")
  func runAgainWhenDone() async throws {
    try await collector.start()
    _ = try await replay(endpoint: await collector.url())
    let (status, _) = try await replay(endpoint: await collector.url())
    #expect(status == .clean)
    #expect(await collector.totals.accepted == 5)
    #expect(await collector.totals.duplicates == 0)
    await collector.stop()
  }

  @Test("names the file that cannot be read")
  func missingFile() async throws {
    let (status, terminal) = try await replay(events: "nowhere.jsonl", endpoint: URL(string: "http://127.0.0.1:1/"))
    #expect(status == .couldNotRun)
    #expect(terminal.diagnostics.contains("nowhere.jsonl"))
  }

  @Test("refuses arguments that make no sense", arguments: [["--timeout", "-1"], ["--endpoint", "ftp://x"]])
  func wrongArguments(extra: [String]) async {
    let terminal = RecordingTerminal()
    let arguments = ["replay", "--events", "a", "--remap", "b", "--rollout", "c", "--endpoint", "http://h/"] + extra
    #expect(await DualSendCommand.run(arguments, on: terminal.terminal) == .usage)
  }
}
