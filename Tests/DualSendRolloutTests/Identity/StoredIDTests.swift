import DualSendCore
import DualSendRollout
import DualSendTesting
import Foundation
import Logging
import Testing

@Suite("A stored identifier", .timeLimit(.minutes(5)))
struct StoredIDTests {
  private static let known = "0f1e2d3c-4b5a-4697-8877-665544332211"

  private final class Recorder: Sendable {
    private let noted = Locked<[StoredID.Problem]>([])
    var problems: [StoredID.Problem] { noted.current }
    var note: @Sendable (StoredID.Problem) -> Void { { [noted] problem in noted.withLock { $0.append(problem) } } }
  }

  @Test("is there when the object is, and is the same at the next launch")
  func created() throws {
    let storage = UnreliableStorage()
    let id = try #require(StoredID.installation(storage.storage).current)
    #expect(UUID(uuidString: id) != nil && id == id.lowercased())
    #expect(try storage.text == id)
    #expect(StoredID.installation(storage.storage).current == id)
  }

  @Test("is read in any case and with white space around it", arguments: ["\n  %@ \n", "%@"])
  func read(form: String) {
    let text = form.replacingOccurrences(of: "%@", with: Self.known.uppercased())
    #expect(StoredID.installation(.memory(Array(text.utf8))).current == Self.known)
  }

  @Test("of an installation replaces bytes that are none, and says so", arguments: ["x", "\u{0}", Self.known + "-1"])
  func damaged(text: String) {
    let (recorder, storage) = (Recorder(), UnreliableStorage(text))
    let id = StoredID.installation(storage.storage, report: recorder.note).current
    #expect(recorder.problems == [.damaged])
    #expect(id != nil && StoredID.installation(storage.storage).current == id)
  }

  @Test("of a user leaves bytes that are none until the next sign-in")
  func damagedUser() throws {
    let (recorder, storage) = (Recorder(), UnreliableStorage(String(repeating: "x", count: 1_025)))
    let user = StoredID.user(storage.storage, migrate: { "old" }, report: recorder.note)
    #expect(user.current == nil)
    #expect(recorder.problems == [.damaged])
    #expect(try storage.text?.utf8.count == 1_025)
    try user.set("u-42")
    #expect(try storage.text == "u-42")
  }

  @Test("is not made up while the storage cannot be read, and is read as soon as that works, without a call")
  func unreadable() async {
    let (recorder, storage, clock) = (Recorder(), UnreliableStorage(Self.known), ManualClock())
    storage.refusesReading.withLock { $0 = true }
    let id = StoredID.installation(storage.storage, time: clock.timeSource, report: recorder.note)
    #expect(id.current == nil)
    #expect(recorder.problems == [.notReadable("locked")])
    storage.refusesReading.withLock { $0 = false }
    while id.current == nil, !Task.isCancelled {
      clock.advance(by: .seconds(2))
      await Task.yield()
    }
    #expect(id.current == Self.known)
  }

  @Test("holds for the process if it cannot be stored, and is stored as soon as that works, without a call")
  func unwritable() async throws {
    let (recorder, storage, clock) = (Recorder(), UnreliableStorage(), ManualClock())
    storage.refusesWriting.withLock { $0 = true }
    let id = StoredID.installation(storage.storage, time: clock.timeSource, report: recorder.note)
    let first = id.current
    #expect(recorder.problems == [.notStored("full")])
    #expect(id.value() == first)
    storage.refusesWriting.withLock { $0 = false }
    while try storage.text == nil, !Task.isCancelled {
      clock.advance(by: .seconds(2))
      await Task.yield()
    }
    #expect(try storage.text == first)
  }

  @Test("waits twice as long after each failure, up to five minutes")
  func waits() async {
    let (storage, clock) = (UnreliableStorage(), ManualClock())
    storage.refusesReading.withLock { $0 = true }
    let id = StoredID.installation(storage.storage, time: clock.timeSource)
    for seconds in [2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
      while !clock.pendingWaits.contains(.seconds(seconds)), !Task.isCancelled { await Task.yield() }
      clock.advance(by: .seconds(seconds))
    }
    withExtendedLifetime(id) {}
  }

  @Test("of a user is set, replaced, cleared, and told to readers")
  func user() async throws {
    let storage = UnreliableStorage()
    let user = StoredID.user(storage.storage)
    #expect(user.current == nil)
    var changes = user.changes().makeAsyncIterator()
    #expect(await changes.next() == .some(nil))
    try user.set("u-42")
    #expect(await changes.next() == "u-42")
    #expect(StoredID.user(storage.storage).current == "u-42")
    let anonymous = user.reset()
    #expect(await changes.next() == anonymous)
    user.clear()
    #expect(await changes.next() == .some(nil))
    #expect(StoredID.user(storage.storage).current == nil)
  }

  @Test("is migrated once, also if there was none, and not after a sign-out", arguments: ["old", "", nil])
  func migrated(old: String?) throws {
    let (storage, calls) = (UnreliableStorage(), Locked(0))
    let launch = {
      StoredID.user(storage.storage) {
        calls.withLock { $0 += 1 }
        return old
      }
    }
    #expect(launch().current == (old == "old" ? "old" : nil))
    let second = launch()
    #expect(calls.current == 1)
    second.clear()
    #expect(launch().current == nil)
    #expect(calls.current == 1)
  }

  @Test("a migration that throws is tried again, unless an identifier was set meanwhile", arguments: [true, false])
  func failingMigration(isSet: Bool) throws {
    struct Failure: Error {}
    let (recorder, fails) = (Recorder(), Locked(true))
    let user = StoredID.user(
      .memory(), migrate: { if fails.current { throw Failure() } else { "old" } }, report: recorder.note)
    #expect(user.current == nil)
    #expect(recorder.problems.count == 1)
    if isSet { try user.set("new") }
    fails.withLock { $0 = false }
    #expect(user.value() == (isSet ? "new" : "old"))
  }

  @Test("refuses an empty and a long identifier, and keeps the one before", arguments: [0, 1_025])
  func invalid(length: Int) throws {
    let user = StoredID.user(.memory(Array("u-1".utf8)))
    #expect(throws: StoredID.InvalidIdentifier.self) { try user.set(String(repeating: "x", count: length)) }
    #expect(user.current == "u-1")
  }

  @Test("two spellings of one character are two identifiers")
  func bytes() async throws {
    let user = StoredID.user(.memory())
    try user.set("caf\u{E9}")
    var changes = user.changes().makeAsyncIterator()
    _ = await changes.next()
    try user.set("cafe\u{301}")
    #expect(await changes.next().map { $0.map { Array($0.utf8) } } == Array("cafe\u{301}".utf8))
  }

  @Test("is gone after it was deleted, until it is asked for")
  func deletion() throws {
    let storage = ByteStorage.memory()
    let id = StoredID.installation(storage)
    let first = id.current
    try id.delete()
    #expect(id.current == nil)
    #expect(try storage.read() == nil)
    #expect(id.value() != first)
    #expect(StoredID.installation(storage).current == id.current)
  }

  @Test("remains if it cannot be deleted, and that is reported")
  func undeletable() {
    let recorder = Recorder()
    let storage = ByteStorage {
      Array(Self.known.utf8)
    } write: { _ in
    }
    let id = StoredID.installation(storage, report: recorder.note)
    #expect(throws: ByteStorage.DeletionUnsupported.self) { try id.delete() }
    #expect(recorder.problems.count == 1)
    #expect(id.current == Self.known)
  }

  @Test("many callers of a new storage create one ID, and changes are stored in their order")
  func concurrent() async throws {
    let storage = UnreliableStorage()
    let id = StoredID.installation(storage.storage)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { id.value() } }
      for _ in 0..<100 { group.addTask { _ = id.reset() } }
    }
    #expect(try storage.text == id.current)
  }

  @Test("is kept in user defaults as text, where the app's old code finds it")
  func text() throws {
    let name = "dualsend-test-\(UUID().uuidString)"
    let defaults = try #require(UserDefaults(suiteName: name))
    defer { defaults.removePersistentDomain(forName: name) }
    let id = StoredID.installation(.userDefaults(suiteName: name, key: "id")).current
    #expect(id != nil && defaults.string(forKey: "id") == id)
  }

  @Test("has its problems in the log, without the identifier")
  func log() {
    let log = RecordedLog()
    let storage = UnreliableStorage("\(Self.known)-\u{1B}[2J")
    storage.refusesReading.withLock { $0 = true }
    let id = StoredID.installation(storage.storage, logger: log.logger)
    storage.refusesReading.withLock { $0 = false }
    storage.refusesWriting.withLock { $0 = true }
    id.value()
    _ = try? id.delete()
    #expect(
      log.lines == [
        "warning the identifier cannot be read now: locked", "error the stored bytes are not an identifier",
        "warning the identifier could not be stored: full",
        "error the identifier could not be deleted: the storage was made without a closure that deletes",
      ])
  }
}

/// Keeps what is logged.
private final class RecordedLog: Sendable {
  private struct Handler: LogHandler {
    let log: RecordedLog
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      log.kept.withLock { $0.append("\(event.level) \(event.message)") }
    }
  }

  private let kept = Locked<[String]>([])

  var lines: [String] { kept.current }
  var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }
}
