import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import DualSendTool
import DualSendTracking
import Foundation
import GRDB
import Testing

@testable import DualSendCommands

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite("What dualsend only reads", .timeLimit(.minutes(5)))
struct UntouchedDatabaseTests {
  /// How a process leaves a database.
  enum Ending: CaseIterable, Sendable {
    /// Closed: there is no log.
    case closed
    /// Killed: the log and its index stay.
    case killed
    /// Copied without the index.
    case copied
  }

  private let folder: TemporaryFiles
  private let verbs: [[String]]

  init() throws {
    folder = try TemporaryFiles()
    verbs = [["db", "check"], ["db", "letters"], ["db", "salvage"]]
  }

  private func event(_ number: Int) -> TrackingData {
    TrackingData(TrackingEvent(id: EventID(high: 1, low: UInt64(number)), time: 5, name: "e\(number)", payload: [:]))
  }

  private func makeDatabase(_ ending: Ending, in target: URL) throws {
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    let source = try TemporaryFiles()
    let store = try SQLiteTrackingDataStore(file: URL(fileURLWithPath: source.path("db.sqlite")))
    _ = try store.append((0..<20).map(event), dropped: [:], inFlight: nil)
    let batch = try store.batch(maximumEvents: 1, maximumBytes: .max)
    try store.resolve(delivered: [], deadLettered: batch.map { DeadLetter(event: $0, reason: "schema") })
    if ending == .closed { store.close() }
    let suffixes = ending == .killed ? ["", "-wal", "-shm"] : ending == .copied ? ["", "-wal"] : [""]
    for suffix in suffixes {
      try FileManager.default.copyItem(
        atPath: source.path("db.sqlite" + suffix), toPath: target.appendingPathComponent("db.sqlite" + suffix).path)
    }
    store.close()
  }

  private func contents(of folder: URL) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      contents[name] = try Data(contentsOf: folder.appendingPathComponent(name))
    }
    return contents
  }

  private func run(_ verb: [String], on database: URL) async -> (CommandStatus, RecordingTerminal) {
    let terminal = RecordingTerminal()
    let out = verb.last == "salvage" ? ["--output", folder.path("out-\(UUID()).jsonl")] : []
    return (await DualSendCommand.run(verb + [database.path] + out, on: terminal.terminal), terminal)
  }

  private func expectRead(_ verb: [String], on database: URL) async {
    let (status, terminal) = await run(verb, on: database)
    #expect(status != .couldNotRun, "\(verb): \(terminal.diagnostics)")
    let expected = ["check": "accepted 20", "letters": "1 dead letters", "salvage": "19 events read"]
    #expect(terminal.results.contains(expected[verb[1]] ?? "?"), "\(verb): \(terminal.results)\(terminal.diagnostics)")
  }

  @Test("stays as it is, byte for byte, and no file is made beside it", arguments: Ending.allCases)
  func untouched(ending: Ending) async throws {
    let place = folder.folder.appendingPathComponent("place with ? and %41")
    try makeDatabase(ending, in: place)
    let before = try contents(of: place)
    for verb in verbs { await expectRead(verb, on: place.appendingPathComponent("db.sqlite")) }
    #expect(try contents(of: place) == before)
  }

  @Test("stays as it is through links, of a database that an app has open", arguments: [true, false])
  func links(areAllLinked: Bool) async throws {
    let place = folder.folder.appendingPathComponent("live")
    try makeDatabase(.killed, in: place)
    let before = try contents(of: place)
    let links = folder.folder.appendingPathComponent("links")
    try FileManager.default.createDirectory(at: links, withIntermediateDirectories: false)
    for suffix in areAllLinked ? ["", "-wal", "-shm"] : [""] {
      try FileManager.default.createSymbolicLink(
        atPath: links.path + "/db.sqlite" + suffix, withDestinationPath: "../live/db.sqlite" + suffix)
    }
    func mode() throws -> NSNumber? {
      try FileManager.default.attributesOfItem(atPath: place.path + "/db.sqlite")[.posixPermissions] as? NSNumber
    }
    let permissions = try mode()
    for verb in verbs { await expectRead(verb, on: links.appendingPathComponent("db.sqlite")) }
    #expect(try contents(of: place) == before && mode() == permissions)
  }

  private func makeForeign(_ file: String, _ journal: String) throws {
    let queue = try DatabaseQueue(path: file)
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: "PRAGMA journal_mode = \(journal); CREATE TABLE photo(id INTEGER); INSERT INTO photo VALUES(1)")
    }
    try queue.close()
  }

  @Test("is refused where it is another program's, and stays as it is", arguments: ["DELETE", "WAL"])
  func foreign(journal: String) async throws {
    let file = folder.path("photos.sqlite")
    try makeForeign(file, journal)
    let before = try contents(of: folder.folder)
    for verb in [["db", "check"], ["db", "letters"], ["db", "letters", "--retry"], ["db", "salvage"]] {
      let (status, terminal) = await run(verb, on: URL(fileURLWithPath: file))
      #expect(status == .couldNotRun, "\(verb)")
      #expect(terminal.diagnostics.contains("another program's database"), "\(verb): \(terminal.diagnostics)")
    }
    #expect(try contents(of: folder.folder) == before)
  }

  #if os(Linux)
    @Test(
      "can be on a disk that is mounted read-only", .enabled(if: geteuid() == 0, "it takes root to mount"),
      arguments: Ending.allCases)
    func readOnlyMount(ending: Ending) async throws {
      let place = folder.folder.appendingPathComponent("mount")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      guard mount("tmpfs", place.path, "tmpfs", 0, "size=4m") == 0 else { return }
      defer { umount2(place.path, Int32(MNT_DETACH)) }
      try makeDatabase(ending, in: place)
      try #require(mount("tmpfs", place.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
      let database = place.appendingPathComponent("db.sqlite")
      for verb in verbs { await expectRead(verb, on: database) }
      let (status, terminal) = await run(["db", "letters", "--retry"], on: database)
      #expect(status == .couldNotRun)
      #expect(terminal.diagnostics.contains("mounted read-only"), "\(terminal.diagnostics)")
    }
  #endif
}
