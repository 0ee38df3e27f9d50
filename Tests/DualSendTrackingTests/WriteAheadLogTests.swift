import CustomDump
import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendTracking

@Suite("A damaged log", .timeLimit(.minutes(5)))
struct WriteAheadLogTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.file("db") }
  private var log: URL { folder.file("db-wal") }
  private let time = ManualClock().timeSource

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open() throws -> SQLiteTrackingDataStore {
    let location = TrackerConfiguration.StoreLocation.file(file)
    let store = try location.open(quota: TrackerConfiguration.Quota(), time: time)
    return try #require(store as? SQLiteTrackingDataStore)
  }

  @Test("a copy that is set aside is that of the file to which a link leads")
  func link() throws {
    try Data("database".utf8).write(to: file)
    let link = folder.file("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    try DamagedDatabase.copyAside(link)
    try Data().write(to: file)
    #expect(try Data(contentsOf: folder.file("link.damaged-1")) == Data("database".utf8))
  }

  /// What a process leaves that is killed after 40 commits: a database and its log. Returns the log's bytes.
  private func leaveLog() throws -> Data {
    let store = try open()
    for number in 0..<40 {
      let event = TrackingData(
        TrackingEvent(id: EventID(high: 1, low: UInt64(number)), time: 1, name: "a", payload: [:]))
      _ = try store.append([event], dropped: [:], inFlight: nil)
    }
    let (database, log) = (try Data(contentsOf: file), try Data(contentsOf: log))
    store.close()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      try FileManager.default.removeItem(at: folder.file(name))
    }
    try database.write(to: file)
    try log.write(to: self.log)
    return log
  }

  @Test("is copied aside and counted, once, wherever a bit of it flipped", arguments: 0..<40)
  func flipped(seed: Int) throws {
    var bytes = try leaveLog()
    var random = SplitMix64(seed: UInt64(seed))
    // The last two frames may be incomplete after an orderly kill.
    let offset = random.number(below: bytes.count - 2 * (StoreFormat.pageSize + 24))
    bytes[offset] ^= UInt8(1 << random.number(below: 8))
    try bytes.write(to: log)
    for launch in 1...3 {
      let store = try open()
      #expect(store.foundDamage == (launch == 1))
      // A process that is killed at once leaves no damage to the next one.
      if launch == 1 {
        store.closeUnchanged()
        continue
      }
      let ledger = try store.ledger()
      #expect(ledger.databasesSetAside == 1 && ledger.isBalanced, "\(ledger)")
      #expect(ledger.pending < 40)
      _ = try store.append([], dropped: [.inboxFull: 1], inFlight: nil)
      store.closeUnchanged()
    }
    #expect(try Data(contentsOf: folder.file("db.damaged-1-wal")) == bytes)
  }

  @Test("is none if a process was killed, whatever frame was the last, and however much of it was written")
  func killed() throws {
    let bytes = try leaveLog()
    let frame = StoreFormat.pageSize + 24
    for length in [0, 16, 32, 40, 32 + frame, 32 + frame + 24, 32 + 2 * frame - 1, bytes.count - 1, bytes.count] {
      #expect(!bytes.prefix(length).withUnsafeBytes(WriteAheadLog.isDamaged), "\(length)")
    }
    // A frame of an earlier use of the log follows the last one.
    var reused = bytes
    let start = 32 + frame * ((bytes.count - 32) / frame - 3)
    for offset in start + 8..<start + 16 { reused[offset] ^= 0x55 }
    #expect(reused.prefix(start + frame).withUnsafeBytes(WriteAheadLog.isDamaged) == false)
    #expect(reused.withUnsafeBytes(WriteAheadLog.isDamaged))
    #expect(try open().ledger() == TrackingLedger(accepted: 40, pending: 40))
  }
}
