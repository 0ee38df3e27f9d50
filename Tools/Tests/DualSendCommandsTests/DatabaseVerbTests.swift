@_spi(Tools) import DualSendCore
@_spi(Tools) import DualSendTracking
import Foundation
import GRDB
import Testing

@testable import DualSendCommands

@Suite("dualsend doctor, deadletters and salvage")
struct DatabaseVerbTests {
  private let folder: TemporaryFiles

  init() throws {
    folder = try TemporaryFiles()
    let store = try SQLiteTrackingDataStore.forTool(URL(fileURLWithPath: folder.path("db.sqlite")))
    _ = try store.append(["a", "b", "c"].map(event), dropped: [:], inFlight: nil)
    let batch = try store.batch(maximumEvents: 1, maximumBytes: .max)
    try store.resolve(delivered: [], deadLettered: batch.map { DeadLetter(event: $0, reason: "schema") })
  }

  private func event(_ name: String) -> TrackingData {
    TrackingData(
      TrackingEvent(
        id: EventID(high: 0, low: UInt64(name.utf8.first ?? 0)), time: 5, name: name, payload: ["secret": "value"]))
  }

  private func run(_ arguments: String...) async -> (CommandStatus, RecordingConsole) {
    let console = RecordingConsole()
    return (await DualSendCommand.run(arguments, on: console.console), console)
  }

  @Test("doctor shows the ledger, and points to the dead letters")
  func doctor() async {
    let (status, console) = await run("doctor", folder.path("db.sqlite"))
    #expect(status == .findings)
    #expect(console.results.contains("accepted 3 = delivered 0 + dropped 0 + dead-lettered 1 + pending 2"))
    #expect(console.diagnostics.contains("warning[DS0604]: 1 events were refused"))
  }

  private func execute(_ sql: String) throws {
    try DatabaseQueue(path: folder.path("db.sqlite")).write { try $0.execute(sql: sql) }
  }

  @Test("doctor finds rows that do not match the counters, and counters that do not add up")
  func unbalanced() async throws {
    try execute("DELETE FROM event WHERE name = 'b'")
    let (status, console) = await run("doctor", folder.path("db.sqlite"))
    #expect(status == .findings)
    #expect(console.diagnostics.contains("error[DS0602]: the ledger counts 2 waiting events"))
    try execute("UPDATE ledger SET value = 9 WHERE counter = 'accepted'")
    #expect(await run("doctor", folder.path("db.sqlite")).1.diagnostics.contains("error[DS0601]"))
  }

  @Test("doctor says what a file is that is no database, and what is missing")
  func notADatabase() async throws {
    try folder.write("text", "this is a text, and no database at all")
    let (status, console) = await run("doctor", folder.path("text"))
    #expect(status == .findings)
    #expect(console.diagnostics.contains("error[DS0603]"))
    #expect(await run("doctor", folder.path("nowhere")).0 == .couldNotRun)
  }

  @Test("deadletters lists without payloads, exports with them, and puts them back")
  func deadLetters() async throws {
    let (status, console) = await run("deadletters", folder.path("db.sqlite"), "--export", folder.path("out.jsonl"))
    #expect(status == .clean)
    #expect(console.results.contains("schema") && !console.results.contains("value"))
    #expect(try folder.read("out.jsonl").contains(#""payload":{"secret":"value"}"#))
    #expect(await run("deadletters", folder.path("db.sqlite"), "--retry").0 == .clean)
    #expect(await run("doctor", folder.path("db.sqlite")).1.results.contains("dead-lettered 0 + pending 3"))
  }

  @Test("deadletters keeps away from a database that a tracker works on")
  func inUse() async throws {
    let owner = try SQLiteTrackingDataStore.forTool(URL(fileURLWithPath: folder.path("db.sqlite")))
    let (status, console) = await run("deadletters", folder.path("db.sqlite"), "--retry")
    #expect(status == .couldNotRun)
    #expect(console.diagnostics.contains("a tracker works on this database"))
    #expect(try owner.deadLetters().count == 1)
  }

  @Test("salvage writes every event that can be read, around the damage")
  func salvage() async throws {
    let store = try SQLiteTrackingDataStore.forTool(URL(fileURLWithPath: folder.path("db.sqlite")))
    _ = try store.append((0..<500).map { event("e\($0)") }, dropped: [:], inFlight: nil)
    store.close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("db.sqlite")))
    let page = bytes.count / 4096 / 2 * 4096
    bytes.replaceSubrange(page..<page + 4096, with: Data(repeating: 0xFF, count: 4096))
    try bytes.write(to: URL(fileURLWithPath: folder.path("damaged")))
    let (status, console) = await run("salvage", folder.path("damaged"), "--out", folder.path("out.jsonl"))
    #expect(status == .findings)
    let lines = try folder.read("out.jsonl").split(separator: "\n")
    #expect((300..<502).contains(lines.count), "\(console.results)")
    #expect(Set(lines).count == lines.count)
  }
}
