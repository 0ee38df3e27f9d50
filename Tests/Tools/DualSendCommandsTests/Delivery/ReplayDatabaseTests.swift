import CustomDump
import DualSendCollector
import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendHTTPClient
import DualSendTesting
import DualSendTool
import DualSendTracking
import Foundation
import GRDB
import Testing

@testable import DualSendCommands

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite("dualsend replay, its database and its old log", .timeLimit(.minutes(5)))
final class ReplayDatabaseTests {
  private let folder: TemporaryFiles
  private let collector = CollectorServer()

  init() throws {
    folder = try TemporaryFiles()
    try folder.write("table.json", #"{"formatVersion":1,"events":{"a":{"name":"new.a"}}}"#)
    try folder.write(
      "rollout.json",
      #"{"formatVersion":1,"revision":1,"salt":"s","shouldSendLogToOldLogger":100,"shouldSendLogToNewTracker":100}"#)
    let lines = (1...5).map { #"{"name":"a","parameters":{"id":\#($0)},"unitID":"u","time":\#($0)}"# + "\n" }
    try folder.write("events.jsonl", lines.joined())
  }

  private func replay(_ collector: CollectorServer, _ options: String...) async throws -> (
    CommandStatus, RecordingTerminal
  ) {
    try await replay(try #require(await collector.url()).absoluteString, by: SystemTransport.make(), options)
  }

  private func replay(_ endpoint: String, by transport: any HTTPTransport, _ options: String...) async throws -> (
    CommandStatus, RecordingTerminal
  ) {
    try await replay(endpoint, by: transport, options)
  }

  private func replay(_ endpoint: String, by transport: any HTTPTransport, _ options: [String]) async throws -> (
    CommandStatus, RecordingTerminal
  ) {
    let terminal = RecordingTerminal(transport: transport)
    return (await DualSendCommand.run(arguments(endpoint) + options, on: terminal.terminal), terminal)
  }

  private func arguments(_ endpoint: String) -> [String] {
    [
      "replay", "--events", folder.path("events.jsonl"), "--remap", folder.path("table.json"), "--rollout",
      folder.path("rollout.json"), "--endpoint", endpoint, "--database", folder.path("db.sqlite"),
      "--output", folder.path("old.jsonl"), "--timeout", "120",
    ]
  }

  private func execute(_ sql: String) throws {
    let queue = try DatabaseQueue(path: folder.path("db.sqlite"))
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// What keeps a database from being used, and what the person is told.
  enum Obstacle: CaseIterable, Sendable {
    case folder, otherProgram, inUse

    var words: [String] {
      switch self {
      case .folder: ["it is a folder", "name a file in it"]
      case .otherProgram: ["another program's database", "name a tracker's database"]
      case .inUse: ["a tracker works on it", "stop the app or the other"]
      }
    }
  }

  @Test("ends with 2, the cause and the way out when the database cannot be used", arguments: Obstacle.allCases)
  func unusable(obstacle: Obstacle) async throws {
    try await collector.start()
    let file = URL(fileURLWithPath: folder.path("db.sqlite"))
    var owner: SQLiteTrackingDataStore?
    switch obstacle {
    case .folder: try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    case .otherProgram: try execute("CREATE TABLE photo(id INTEGER)")
    case .inUse: owner = try SQLiteTrackingDataStore.forTool(file)
    }
    let (status, terminal) = try await replay(collector)
    #expect(status == .couldNotRun)
    for words in obstacle.words { #expect(terminal.diagnostics.contains(words), "\(terminal.diagnostics)") }
    #expect(!terminal.diagnostics.contains("free some space"))
    #expect(terminal.results.isEmpty)
    #expect(await collector.totals.requests == 0)
    owner?.close()
    await collector.stop()
  }

  @Test("demands a JSON object as an acknowledgement where it is told to")
  func requiredJSON() async throws {
    let plain = ScriptedTransport(then: .success(HTTPTransportResponse(status: 200, body: Array("OK".utf8))))
    let (strict, terminal) = try await replay("http://127.0.0.1:9/", by: plain, "--require-json", "--timeout", "2")
    #expect(strict == .couldNotRun)
    #expect(terminal.diagnostics.contains("is not the JSON object that acknowledges a batch"))
    #expect(try await replay("http://127.0.0.1:9/", by: plain).0 == .clean)
  }

  @Test("says what it waited for: the collector's Retry-After, also one of an earlier run, or the back-off")
  func waits() async throws {
    let asking = CollectorServer(CollectorConfiguration(faults: [try CollectorFault("retry-after=600:503")]))
    try await asking.start()
    for _ in 0..<2 {
      let (status, terminal) = try await replay(asking, "--timeout", "4")
      #expect(status == .couldNotRun)
      #expect(terminal.diagnostics.contains("s more (Retry-After)"), "\(terminal.diagnostics)")
      #expect(!terminal.diagnostics.contains("the time was up"))
    }
    await asking.stop()
  }

  private static let endings: [(signal: Int32, status: Int32)] = [(SIGINT, 130), (SIGTERM, 143)]

  @Test("stops in order on SIGINT and SIGTERM, and the next run goes on", arguments: endings)
  func signals(number: Int32, status: Int32) async throws {
    let waiting = CollectorServer(CollectorConfiguration(faults: [try CollectorFault("503")]))
    try await waiting.start()
    let endpoint = try #require(await waiting.url())
    let command = ChildCommand(
      arguments: arguments(endpoint.absoluteString),
      signal: (number, { while await waiting.totals.requests == 0 { try await Task.sleep(for: .milliseconds(10)) } }))
    let traces = try await command.run(in: folder)
    #expect(traces.status == status)
    let diagnostics = String(decoding: traces.diagnostics, as: UTF8.self)
    #expect(diagnostics.contains("ended by \(number == SIGINT ? "SIGINT" : "SIGTERM")"), "\(diagnostics)")
    #expect(diagnostics.contains("0 events are delivered, 5 wait in \(folder.path("db.sqlite"))"))
    #expect(String(decoding: traces.results, as: UTF8.self).contains("accepted 5 = delivered 0"))
    await waiting.stop()
    try await collector.start()
    #expect(try await replay(collector).0 == .clean)
    #expect(await collector.receivedIDs.count == 5)
    await collector.stop()
  }

  @Test("ends with 1, and says where to look, when events were refused for good")
  func deadLetters() async throws {
    let refusing = CollectorServer(CollectorConfiguration(faults: [try CollectorFault("reject=bad")]))
    try await refusing.start()
    try folder.write("events.jsonl", #"{"name":"bad"}"# + "\n" + #"{"name":"b"}"# + "\n")
    let (status, terminal) = try await replay(refusing, "--verbose")
    #expect(status == .findings, "\(terminal.results)\(terminal.diagnostics)")
    #expect(terminal.diagnostics.contains("warning[DS0604]: the collector refused 1 event for good"))
    #expect(terminal.diagnostics.contains("warning: event bad was refused permanently"), "\(terminal.diagnostics)")
    await refusing.stop()
  }

  @Test("keeps every event, and says that they wait, when the collector refuses all")
  func everythingRefused() async throws {
    let refusing = CollectorServer(CollectorConfiguration(faults: [try CollectorFault("400")]))
    try await refusing.start()
    let (status, terminal) = try await replay(refusing)
    #expect(status == .couldNotRun)
    #expect(terminal.diagnostics.contains("error[DS0402]: 5 events not delivered"), "\(terminal.diagnostics)")
    await refusing.stop()
  }

  @Test(
    "writes no old line twice when it goes on after a kill, and takes a line off that was cut",
    arguments: ["", #"{"eventId":"01"#])
  func oldLines(cutLine: String) async throws {
    try await collector.start()
    _ = try await replay(collector)
    let old = try folder.read("old.jsonl")
    // The lines are written, the notes of a moment before.
    try execute("UPDATE note SET value = 0 WHERE key LIKE 'replay.%'")
    try folder.write("old.jsonl", old + cutLine)
    let (status, _) = try await replay(collector)
    #expect(status == .clean)
    expectNoDifference(try folder.read("old.jsonl"), old)
    #expect(await collector.receivedIDs.count == 5)
    await collector.stop()
  }

  @Test("counts what an earlier run left by its old names, however soon it is delivered")
  func leftByEarlierRun() async throws {
    let lines = (1...6000).map { #"{"name":"a","parameters":{"id":\#($0)},"unitID":"u","time":\#($0)}"# + "\n" }
    try folder.write("events.jsonl", lines.joined())
    let refusing = CollectorServer(CollectorConfiguration(faults: [try CollectorFault("403")]))
    try await refusing.start()
    #expect(try await replay(refusing).0 == .couldNotRun)
    await refusing.stop()
    try await collector.start()
    let (status, terminal) = try await replay(collector, "--format", "json")
    #expect(status == .clean)
    #expect(terminal.results.contains(#""total":{"both":0,"deadLettered":0,"delivered":6000,"#), "\(terminal.results)")
    await collector.stop()
  }

  @Test("keeps the lines that others wrote to the same old log")
  func sharedOldLog() async throws {
    try await collector.start()
    try folder.write("old.jsonl", #"{"name":"other"}"# + "\n")
    _ = try await replay(collector)
    _ = try await replay(collector)
    #expect(try folder.read("old.jsonl").split(separator: "\n").count == 6)
    await collector.stop()
  }

  @Test("sends batches as it is told, and writes the tracker's log where it is asked to")
  func delivery() async throws {
    try await collector.start()
    let (_, terminal) = try await replay(collector, "--batch-events", "2", "--header", "Authorization: Bearer x")
    #expect(await collector.totals.requests == 3)
    #expect(terminal.diagnostics.isEmpty)
    await collector.stop()
  }

  @Test("reads a header field", arguments: ["X-Key: a b", "x-key:a b", "X_1:\ta b"])
  func header(text: String) throws {
    #expect(try HeaderField(text).value == "a b")
  }

  @Test("refuses what is no header field", arguments: ["X-Key", ": a", "X Key: a", "X: a\r\nY: b", "Ü: a"])
  func wrongHeader(text: String) {
    #expect(throws: (any Error).self) { try HeaderField(text) }
  }

  @Test("reads the header fields of a file, one on each line, and names a file without any")
  func headerFile() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("headers-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(throws: (any Error).self) { try HeaderField.fields(of: "@" + file.path) }
    try Data("Authorization: Bearer x\r\nX-Team: a\n".utf8).write(to: file)
    #expect(try HeaderField.fields(of: "@" + file.path).map(\.value) == ["Bearer x", "a"])
    try Data("X-Key".utf8).write(to: file)
    #expect(throws: (any Error).self) { try HeaderField.fields(of: "@" + file.path) }
  }
}
