import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendRollout
import DualSendTool
import DualSendTracking
import Foundation
import GRDB
import Testing

@testable import DualSendCommands

@Suite("dualsend doctor, deadletters and salvage", .timeLimit(.minutes(5)))
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
        id: EventID(high: 0, low: name.utf8.reduce(0) { $0 &* 256 &+ UInt64($1) }), time: 5, name: name,
        payload: ["secret": "value"]))
  }

  private func run(_ arguments: String...) async -> (CommandStatus, RecordingTerminal) {
    let terminal = RecordingTerminal()
    return (await DualSendCommand.run(arguments, on: terminal.terminal), terminal)
  }

  private func execute(_ sql: String, in name: String = "db.sqlite") throws {
    try DatabaseQueue(path: folder.path(name)).write { try $0.execute(sql: sql) }
  }

  private func letterNames(in name: String = "db.sqlite") throws -> [String] {
    try DatabaseQueue(path: folder.path(name)).read { try String.fetchAll($0, sql: "SELECT name FROM deadLetter") }
  }

  @Test("doctor shows the ledger, and points to the dead letters")
  func doctor() async {
    let (status, terminal) = await run("db", "check", folder.path("db.sqlite"))
    #expect(status == .findings)
    #expect(terminal.results.contains("accepted 3 = delivered 0 + dropped 0 + dead-lettered 1 + pending 2"))
    #expect(terminal.diagnostics.contains("warning[DS0604]: the collector refused 1 event for good"))
  }

  @Test("doctor tells what the record of a breaker says, and finds one that is open")
  func breaker() async throws {
    var record = BreakerRecord(appVersion: "25.4 (7)", revision: 12)
    let file = try folder.file("record", String(decoding: record.bytes, as: UTF8.self))
    let closed = await run("db", "check", folder.path("db.sqlite"), "--breaker-record", file)
    #expect(closed.1.results.contains("closed"))
    #expect(!closed.1.diagnostics.contains("DS0609"))
    record.open(.earlyEnds, "3 launches in a row ended early", at: 0)
    _ = try folder.file("record", String(decoding: record.bytes, as: UTF8.self))
    let open = await run("db", "check", folder.path("db.sqlite"), "--breaker-record", file)
    #expect(open.0 == .findings)
    #expect(open.1.results.contains("open: the new side stays off"))
    #expect(open.1.results.contains("25.4 (7)"))
    #expect(
      open.1.diagnostics.contains(
        "warning[DS0609]: the breaker keeps the new side off: 3 launches in a row ended early"
          + " (revision 12, 1970-01-01T00:00:00"))
    let json = await run("db", "check", folder.path("db.sqlite"), "--breaker-record", file, "--format", "json")
    #expect(json.1.results.contains(#""cause":"earlyEnds""#))
    let other = try folder.file("other", "{}")
    #expect(await run("db", "check", folder.path("db.sqlite"), "--breaker-record", other).0 == .couldNotRun)
  }

  @Test("doctor counts the dead letters that were erased beyond the quota, and ends with 1")
  func erasedDeadLetters() async throws {
    let store = try SQLiteTrackingDataStore(
      file: URL(fileURLWithPath: folder.path("small.sqlite")), quota: TrackerConfiguration.Quota(deadLetters: 1))
    _ = try store.append(["a", "b", "c"].map(event), dropped: [:], inFlight: nil)
    let batch = try store.batch(maximumEvents: 3, maximumBytes: .max)
    try store.resolve(delivered: [], deadLettered: batch.map { DeadLetter(event: $0, reason: "schema") })
    #expect(try store.retryDeadLetters() == 1)
    store.close()
    let (status, terminal) = await run("db", "check", folder.path("small.sqlite"))
    #expect(status == .findings)
    #expect(terminal.results.contains("dead-lettered 2 (2 erased) + pending 1"))
    #expect(terminal.diagnostics.contains("error[DS0608]: 2 events are lost"))
  }

  @Test("doctor finds rows that do not match the counters, and counters that do not add up")
  func unbalanced() async throws {
    try execute("DELETE FROM event WHERE name = 'b'")
    let (status, terminal) = await run("db", "check", folder.path("db.sqlite"))
    #expect(status == .findings)
    #expect(terminal.diagnostics.contains("error[DS0602]: the ledger counts 2 waiting events"))
    try execute("UPDATE ledger SET value = 9 WHERE counter = 'accepted'")
    #expect(await run("db", "check", folder.path("db.sqlite")).1.diagnostics.contains("error[DS0601]"))
  }

  @Test("doctor and salvage find an event whose own bytes are damaged, and salvage leaves it out")
  func damagedEvent() async throws {
    try execute("UPDATE event SET body = CAST('{\"eventId\":' AS BLOB) WHERE name = 'b'")
    let (status, terminal) = await run("db", "check", folder.path("db.sqlite"))
    #expect(status == .findings)
    #expect(terminal.diagnostics.contains("error[DS0606]: 1 waiting events are damaged"))
    #expect(!terminal.results.contains("sound"))
    let (salvage, report) = await run("db", "salvage", folder.path("db.sqlite"), "--output", folder.path("out.jsonl"))
    #expect(salvage == .findings)
    #expect(report.diagnostics.contains("error[DS0606]: 1 waiting events are damaged"))
    #expect(try folder.read("out.jsonl").split(separator: "\n").count == 1)
  }

  @Test("doctor says what a file is that is no database, and what is missing")
  func notADatabase() async throws {
    try folder.write("text", "this is a text, and no database at all")
    let (status, terminal) = await run("db", "check", folder.path("text"))
    #expect(status == .findings)
    #expect(terminal.diagnostics.contains("error[DS0603]"))
    #expect(await run("db", "check", folder.path("nowhere")).0 == .couldNotRun)
  }

  @Test("doctor and salvage know of a log whose database is gone")
  func logAlone() async throws {
    let store = try SQLiteTrackingDataStore.forTool(URL(fileURLWithPath: folder.path("gone.sqlite")))
    _ = try store.append(["a", "b", "c"].map(event), dropped: [:], inFlight: nil)
    try FileManager.default.copyItem(atPath: folder.path("gone.sqlite-wal"), toPath: folder.path("log"))
    store.close()
    try FileManager.default.removeItem(atPath: folder.path("gone.sqlite"))
    try FileManager.default.copyItem(atPath: folder.path("log"), toPath: folder.path("gone.sqlite-wal"))
    let (status, terminal) = await run("db", "check", folder.path("gone.sqlite"))
    #expect(status == .findings)
    #expect(terminal.diagnostics.contains("error[DS0603]: the database is damaged: the file is gone, but not its log"))
    let (salvage, report) = await run("db", "salvage", folder.path("gone.sqlite"), "--output", folder.path("out.jsonl"))
    #expect(salvage == .clean, "\(report.diagnostics)")
    #expect(try folder.read("out.jsonl").split(separator: "\n").count == 3)
    #expect(!FileManager.default.fileExists(atPath: folder.path("gone.sqlite")))
  }

  @Test("deadletters lists without payloads, exports with them, and puts them back")
  func deadLetters() async throws {
    let (status, terminal) = await run("db", "letters", folder.path("db.sqlite"), "--output", folder.path("out.jsonl"))
    #expect(status == .clean)
    #expect(terminal.results.contains("schema") && !terminal.results.contains("value"))
    #expect(try folder.read("out.jsonl").contains(#""payload":{"secret":"value"}"#))
    let rights = try FileManager.default.attributesOfItem(atPath: folder.path("out.jsonl"))[.posixPermissions] as? Int
    #expect(rights == 0o600)
    #expect(await run("db", "letters", folder.path("db.sqlite"), "--retry").0 == .clean)
    #expect(await run("db", "check", folder.path("db.sqlite")).1.results.contains("dead-lettered 0 + pending 3"))
  }

  @Test(
    "deadletters lists, exports and puts back the chosen ones alone",
    arguments: [
      ["--event", "b"], ["--event", "x", "--event", "b*"], ["--reason", "too*"],
      ["--reason", "too large", "--event", "b"],
      ["--id", "00000000-0000-0000-0000-000000000062"],
    ])
  func selection(options: [String]) async throws {
    do {
      let store = try SQLiteTrackingDataStore.forTool(URL(fileURLWithPath: folder.path("db.sqlite")))
      let batch = try store.batch(maximumEvents: 1, maximumBytes: .max)
      try store.resolve(delivered: [], deadLettered: batch.map { DeadLetter(event: $0, reason: "too large") })
    }
    #expect(try letterNames() == ["a", "b"])
    let terminal = RecordingTerminal()
    let status = await DualSendCommand.run(
      ["db", "letters", folder.path("db.sqlite"), "--retry", "--output", folder.path("out"), "--as", "replay"]
        + options,
      on: terminal.terminal)
    #expect(status == .clean, "\(terminal.diagnostics)")
    #expect(terminal.results.contains("1 dead letters"))
    #expect(try folder.read("out") == #"{"name":"b","parameters":{"secret":"value"},"time":5}"# + "\n")
    #expect(try letterNames() == ["a"])
  }

  @Test("deadletters puts nothing back while a tracker works on the database, but lists")
  func inUse() async throws {
    let owner = try SQLiteTrackingDataStore.forTool(URL(fileURLWithPath: folder.path("db.sqlite")))
    #expect(await run("db", "letters", folder.path("db.sqlite")).0 == .clean)
    let (status, terminal) = await run("db", "letters", folder.path("db.sqlite"), "--retry")
    #expect(status == .couldNotRun)
    #expect(terminal.diagnostics.contains("a tracker works on this database"))
    #expect(try owner.deadLetters().count == 1)
  }

  /// A lost page costs a few events that have rows of their own, or up to two runs of 100.
  @Test("salvage writes every event that can be read, around the damage", arguments: [(1, 450), (500, 100)])
  func salvage(eventsATransaction: Int, least: Int) async throws {
    let store = try SQLiteTrackingDataStore.forTool(URL(fileURLWithPath: folder.path("db.sqlite")))
    for start in stride(from: 0, to: 500, by: eventsATransaction) {
      let events = (start..<start + eventsATransaction).map { event("e\($0)") }
      _ = try store.append(events, dropped: [:], inFlight: nil)
    }
    store.close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("db.sqlite")))
    // Two pages, so that what stands between them has to be reached too.
    for part in [3, 5] {
      let size = StoreFormat.pageSize
      let page = bytes.count / size * part / 8 * size
      bytes.replaceSubrange(page..<page + size, with: Data(repeating: 0xFF, count: size))
    }
    try bytes.write(to: URL(fileURLWithPath: folder.path("damaged")))
    let (status, terminal) = await run("db", "salvage", folder.path("damaged"), "--output", folder.path("out.jsonl"))
    #expect(status == .findings)
    let lines = try folder.read("out.jsonl").split(separator: "\n")
    #expect((least..<502).contains(lines.count), "\(terminal.results)")
    #expect(Set(lines).count == lines.count)
  }

  @Test("salvage reads all that is there of a database that is cut by a hundredth")
  func salvageCut() async throws {
    let file = folder.path("cut.sqlite")
    let store = try SQLiteTrackingDataStore.forTool(URL(fileURLWithPath: file))
    var random = SplitMix64(seed: 1)
    for round in 0..<5 {
      let events = (0..<1000).map { number in
        let text = String(
          decoding: (0..<250).map { _ in UInt8(ascii: "0") + UInt8(random.number(below: 40)) }, as: UTF8.self)
        return TrackingData(
          TrackingEvent(
            id: EventID(high: 1, low: UInt64(round * 1000 + number)), time: 5, name: "e",
            payload: ["text": .string(text)]))
      }
      _ = try store.append(events, dropped: [:], inFlight: nil)
    }
    store.close()
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file))
    let size = try handle.seekToEnd()
    try handle.truncate(atOffset: size * 99 / 100)
    try handle.close()
    #expect(await run("db", "check", file).1.diagnostics.contains("error[DS0603]"))
    let (status, terminal) = await run("db", "salvage", file, "--output", folder.path("out.jsonl"))
    #expect(status == .findings)
    let lines = try folder.read("out.jsonl").split(separator: "\n")
    // The cut reaches one run of 100, or two.
    #expect((4700..<5000).contains(lines.count), "\(terminal.results)")
    #expect(Set(lines).count == lines.count)
  }

  @Test("salvage makes no file when there is nothing to write to it")
  func salvageNothing() async throws {
    try execute("CREATE TABLE photo(id INTEGER)", in: "photos.sqlite")
    for name in ["photos.sqlite", "nowhere"] {
      let (status, _) = await run("db", "salvage", folder.path(name), "--output", folder.path("out.jsonl"))
      #expect(status == .couldNotRun)
      #expect(!FileManager.default.fileExists(atPath: folder.path("out.jsonl")))
    }
  }

  @Test("each sees the databases that other trackers have beside the one that is named")
  func siblings() async throws {
    let second = try SQLiteTrackingDataStore.forTool(URL(fileURLWithPath: folder.path("db-2.sqlite")))
    _ = try second.append(["d", "e"].map(event), dropped: [:], inFlight: nil)
    let batch = try second.batch(maximumEvents: 1, maximumBytes: .max)
    try second.resolve(delivered: [], deadLettered: batch.map { DeadLetter(event: $0, reason: "late") })
    second.close()
    let (_, doctor) = await run("db", "check", folder.path("db.sqlite"), "--format", "json")
    #expect(doctor.results.contains(#""waitingEvents":3"#) && doctor.results.contains("db-2.sqlite"))
    #expect(doctor.results.contains(#""deadLetters":{"late":1,"schema":1}"#))
    #expect(await run("db", "check", folder.path("db.sqlite")).1.results.contains("2 together"))
    #expect(await run("db", "letters", folder.path("db.sqlite")).1.results.contains("2 dead letters"))
    _ = await run("db", "salvage", folder.path("db.sqlite"), "--output", folder.path("out.jsonl"))
    #expect(try folder.read("out.jsonl").split(separator: "\n").count == 3)
  }

  @Test(
    "doctor fails on the conditions that are given",
    arguments: [
      ("pending>1", true), ("pending>2", false), ("age>1h", true), ("age>36500d", false), ("bytes>9999", false),
      ("pending>2,deadletters>0", true),
    ])
  func alarm(conditions: String, isAlarmed: Bool) async {
    let (_, terminal) = await run("db", "check", folder.path("db.sqlite"), "--fail-if", conditions)
    #expect(terminal.diagnostics.contains("error[DS0607]") == isAlarmed, "\(terminal.diagnostics)")
  }

  @Test(
    "doctor refuses conditions that it does not know", arguments: ["pending<1", "age>1", "size>1", "pending>-1", ""])
  func wrongCondition(conditions: String) async {
    #expect(await run("db", "check", folder.path("db.sqlite"), "--fail-if", conditions).0 == .usage)
  }

  @Test("doctor watches until a condition holds")
  func watch() async {
    let (status, _) = await run("db", "check", folder.path("db.sqlite"), "--interval", "0.1", "--fail-if", "pending>1")
    #expect(status == .findings)
  }
}
