import CustomDump
import DualSendCore
import DualSendTesting
import Foundation
import GRDB
import Testing

@testable import DualSendTracking

@Suite("The files of a database", .timeLimit(.minutes(5)))
struct DatabaseFileTests {
  private let folder: TemporaryFolder
  private let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("events.sqlite")
  }

  private func events(_ count: Int, bytes: Int = 300) -> [TrackingData] {
    // Text that hardly becomes shorter when it is compressed.
    var random = SplitMix64(seed: 1)
    let characters = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_")
    return (0..<count).map { number in
      let text = String((0..<bytes).map { _ in characters[random.number(below: characters.count)] })
      return TrackingData(
        TrackingEvent(
          id: EventID(high: 1, low: UInt64(number)), time: 1, name: "\(number)", payload: ["text": .string(text)]))
    }
  }

  private func rights() throws -> [String: Int] {
    var rights: [String: Int] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name).path)
      rights[name] = attributes[.posixPermissions] as? Int
    }
    return rights
  }

  private func open() throws -> any TrackingDataStore {
    try TrackerConfiguration.StoreLocation.file(file).open(quota: TrackerConfiguration.Quota(), time: .system)
  }

  private func foreign(_ sql: String) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  @Test("are readable by their owner alone, also those that were made otherwise and those that are set aside")
  func rights() async throws {
    do {
      let store = try open()
      _ = try store.append(events(1), dropped: [:], inFlight: nil)
      let names = ["", "-wal", "-shm", "-reserve", ".lock"].map { "events.sqlite" + $0 }
      expectNoDifference(try rights(), Dictionary(uniqueKeysWithValues: names.map { ($0, 0o600) }))
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    do { _ = try open() }
    expectNoDifference(try rights()["events.sqlite"], 0o600)
    try Data("no database at all, but long enough to be looked at as one".utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    _ = try open()
    expectNoDifference(try rights()["events.sqlite.damaged-1"], 0o600)
  }

  @Test("say whose they are")
  func applicationID() throws {
    _ = try SQLiteTrackingDataStore(file: file)
    let number = try DatabaseQueue(path: file.path).read { try Int32.fetchOne($0, sql: "PRAGMA application_id") }
    expectNoDifference(number, DatabaseIdentity.applicationID)
  }

  @Test(
    "are left alone, and none is made beside them, where they are another program's",
    arguments: [
      "CREATE TABLE photo(id INTEGER PRIMARY KEY)", "CREATE TABLE event(day TEXT, title TEXT)",
      "PRAGMA application_id = 7",
      "CREATE TABLE grdb_migrations(identifier TEXT NOT NULL PRIMARY KEY); CREATE TABLE player(id INTEGER)",
      "CREATE TABLE grdb_migrations(identifier TEXT NOT NULL PRIMARY KEY); CREATE TABLE note(body TEXT)",
      "CREATE TABLE Tracking(id INTEGER PRIMARY KEY, parcel TEXT)",
    ])
  func foreignDatabase(sql: String) async throws {
    try foreign(sql)
    let before = try Data(contentsOf: file)
    #expect { try SQLiteTrackingDataStore(file: file) } throws: {
      $0 as? TrackingStoreError == DatabaseIdentity.foreign
    }
    #expect { try SQLiteTrackingDataStore.forTool(file) } throws: {
      $0 as? TrackingStoreError == DatabaseIdentity.foreign
    }
    let bench = try Bench(storage: .file(file))
    bench.tracker.sendLog(name: "a", payload: [:])
    #expect(await bench.tracker.persist() == 1)
    await #expect { try await bench.tracker.deadLetters() } throws: {
      $0 as? TrackingStoreError == DatabaseIdentity.foreign
    }
    expectNoDifference(try Data(contentsOf: file), before)
    expectNoDifference(try FileManager.default.contentsOfDirectory(atPath: folder.url.path), ["events.sqlite"])
  }

  @Test("are a tracker's by their tables where damage has struck the number that says so")
  func damagedNumber() throws {
    let store = try SQLiteTrackingDataStore(file: file)
    _ = try store.append(events(3), dropped: [:], inFlight: nil)
    store.close()
    var bytes = try Data(contentsOf: file)
    bytes[70] ^= 1
    try bytes.write(to: file)
    #expect(try open().ledger() == TrackingLedger(accepted: 3, pending: 3))
  }

  @Test("are an error, with its cause, where a folder stands in their place")
  func folderInPlace() throws {
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    #expect { try open() } throws: { "\($0)".contains("it is a folder") }
    expectNoDifference(try FileManager.default.contentsOfDirectory(atPath: folder.url.path), ["events.sqlite"])
  }

  @Test("are not deleted but set aside where only the log is left", arguments: [false, true])
  func logAlone(isEmptied: Bool) async throws {
    let log = folder.file("events.sqlite-wal")
    let saved: Data
    do {
      let store = try SQLiteTrackingDataStore(file: file)
      _ = try store.append(events(50), dropped: [:], inFlight: nil)
      saved = try Data(contentsOf: log)
      store.close()
    }
    try FileManager.default.removeItem(at: file)
    try saved.write(to: log)
    if isEmptied { try Data().write(to: file) }
    for _ in 0..<2 {
      let store = try open()
      expectNoDifference(try store.ledger().databasesSetAside, 1)
    }
    expectNoDifference(try Data(contentsOf: folder.file("events.sqlite.damaged-1-wal")), saved)
    try? FileManager.default.removeItem(at: file)
    try saved.write(to: log)
    expectNoDifference(try open().ledger().databasesSetAside, 2)
    expectNoDifference(try Data(contentsOf: folder.file("events.sqlite.damaged-2-wal")), saved)
  }

  @Test("shrink while nothing is on its way, and keep what is left")
  func reclaimSpace() throws {
    let store = try SQLiteTrackingDataStore(file: file)
    for _ in 0..<20 { _ = try store.append(events(500, bytes: 600), dropped: [:], inFlight: nil) }
    try store.resolve(
      delivered: try store.batch(maximumEvents: 9_999, maximumBytes: .max), deadLettered: [])
    let full = FileSize.of(file)
    #expect(full > 3 << 20)
    store.reclaimSpace()
    #expect(FileSize.of(file) < 256 << 10)
    #expect(FileSize.of(folder.file("events.sqlite-wal")) == 0)
    expectNoDifference(try store.batch(maximumEvents: 9, maximumBytes: .max).map(\.name), ["499"])
    expectNoDifference(try store.ledger(), TrackingLedger(accepted: 10_000, delivered: 9_999, pending: 1))
    _ = try store.append(events(1), dropped: [:], inFlight: nil)
    expectNoDifference(try store.waitingSequences(), 10_000...10_001)
  }

  @Test("shrink as well if they are in memory")
  func reclaimMemory() throws {
    let store = try SQLiteTrackingDataStore(inMemoryWithQuota: TrackerConfiguration.Quota())
    func pages() throws -> Int? { try store.database.read { try Int.fetchOne($0, sql: "PRAGMA page_count") } }
    for _ in 0..<20 { _ = try store.append(events(500, bytes: 600), dropped: [:], inFlight: nil) }
    try store.resolve(
      delivered: try store.batch(maximumEvents: 9_999, maximumBytes: .max), deadLettered: [])
    #expect(try #require(try pages()) > 1500)
    store.reclaimSpace()
    #expect(try #require(try pages()) < 128)
    expectNoDifference(try store.batch(maximumEvents: 9, maximumBytes: .max).map(\.name), ["499"])
    #expect(FileManager.default.fileExists(atPath: file.path) == false)
  }

  @Test("do not grow by a log of more than one and a half MiB")
  func logSize() throws {
    let store = try SQLiteTrackingDataStore(file: file)
    for _ in 0..<20 { _ = try store.append(events(1000), dropped: [:], inFlight: nil) }
    #expect(FileSize.of(folder.file("events.sqlite-wal")) < 3 << 19)
  }
}
