import DualSendCore
import DualSendRollout
import Foundation
import Logging
import Testing

@Suite("An installation's ID")
struct InstallationIDTests {
  private static let known = "0f8fad5b-d9cb-469f-a165-70867728950e"

  private final class Recorder: Sendable {
    private let kept = Locked<[InstallationID.Problem]>([])
    var problems: [InstallationID.Problem] { kept.current }
    func note(_ problem: InstallationID.Problem) { kept.withLock { $0.append(problem) } }
  }

  private struct Refusal: LocalizedError {
    let errorDescription: String?
  }

  /// Refuses to read, or to write, as long as it is told to.
  private final class StubbornStorage: Sendable {
    let refusesReading = Locked(false)
    let refusesWriting = Locked(false)
    let inner = ByteStorage.memory()

    var storage: ByteStorage {
      ByteStorage { [self] in
        if refusesReading.current { throw Refusal(errorDescription: "locked") }
        return try inner.read()
      } write: { [self] bytes in
        if refusesWriting.current { throw Refusal(errorDescription: "full") }
        try inner.write(bytes)
      } delete: { [self] in
        if refusesWriting.current { throw Refusal(errorDescription: "full") }
        try inner.delete()
      }
    }
  }

  @Test("is one lower-case UUID, however many tasks ask at once")
  func oneForAll() async {
    let installationID = InstallationID(storage: ByteStorage.memory())
    let ids = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<200 { group.addTask { await installationID.value() } }
      return await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(ids.count == 1)
    #expect(ids.first??.count == 36)
    #expect(ids.first??.lowercased() == ids.first)
  }

  @Test("stays the same from run to run")
  func stable() async {
    let storage = ByteStorage.memory()
    let first = await InstallationID(storage: storage).value()
    #expect(await InstallationID(storage: storage).value() == first)
  }

  @Test("is known without waiting once it has been asked for")
  func current() async {
    let installationID = InstallationID(storage: ByteStorage.memory(Array(Self.known.utf8)))
    #expect(installationID.current == nil)
    await installationID.value()
    #expect(installationID.current == Self.known)
  }

  @Test("is taken over from other code that stored one, in any case", arguments: [known.uppercased(), known + "\n"])
  func takenOver(text: String) async {
    #expect(await InstallationID(storage: ByteStorage.memory(Array(text.utf8))).value() == Self.known)
  }

  @Test("is another one after a reset, in the next run too")
  func reset() async {
    let storage = ByteStorage.memory()
    let installationID = InstallationID(storage: storage)
    let first = await installationID.value()
    let second = await installationID.reset()
    #expect(first != second)
    #expect(installationID.current == second)
    #expect(await InstallationID(storage: storage).value() == second)
  }

  @Test("is a new one where the storage is damaged, and that is reported", arguments: ["", "x", "\u{0}", known + "0"])
  func damaged(text: String) async {
    let recorder = Recorder()
    let storage = ByteStorage.memory(Array(text.utf8))
    let id = await InstallationID(storage: storage, report: recorder.note).value()
    #expect(recorder.problems == [.damaged])
    #expect(await InstallationID(storage: storage).value() == id)
  }

  @Test("is not made up while the storage cannot be read, so that the stored one survives")
  func unreadable() async throws {
    let recorder = Recorder()
    let storage = StubbornStorage()
    try storage.inner.write(Array(Self.known.utf8))
    storage.refusesReading.withLock { $0 = true }
    let installationID = InstallationID(storage: storage.storage, report: recorder.note)
    #expect(await installationID.value() == nil)
    #expect(recorder.problems == [.notReadable("locked")])
    storage.refusesReading.withLock { $0 = false }
    #expect(await installationID.value() == Self.known)
  }

  @Test("holds for the process if it cannot be stored, and is stored as soon as that works")
  func unwritable() async throws {
    let recorder = Recorder()
    let storage = StubbornStorage()
    storage.refusesWriting.withLock { $0 = true }
    let installationID = InstallationID(storage: storage.storage, report: recorder.note)
    let id = await installationID.value()
    #expect(await installationID.value() == id)
    #expect(recorder.problems == [.notStored("full"), .notStored("full")])
    storage.refusesWriting.withLock { $0 = false }
    #expect(await installationID.value() == id)
    #expect(try storage.inner.read().map { String(decoding: $0, as: UTF8.self) } == id)
  }

  @Test("is gone after it was deleted, until it is asked for")
  func deletion() async throws {
    let storage = ByteStorage.memory()
    let installationID = InstallationID(storage: storage)
    let first = await installationID.value()
    try await installationID.delete()
    #expect(installationID.current == nil)
    #expect(try storage.read() == nil)
    let second = await installationID.value()
    #expect(second != nil && second != first)
    #expect(await InstallationID(storage: storage).value() == second)
  }

  @Test("remains if it cannot be deleted, and that is reported")
  func undeletable() async throws {
    let recorder = Recorder()
    let storage = StubbornStorage()
    try storage.inner.write(Array(Self.known.utf8))
    storage.refusesWriting.withLock { $0 = true }
    let installationID = InstallationID(storage: storage.storage, report: recorder.note)
    await installationID.value()
    await #expect(throws: (any Error).self) { try await installationID.delete() }
    #expect(recorder.problems == [.notDeleted("full")])
    #expect(installationID.current == Self.known)
  }

  @Test("is kept in user defaults as text, where the app's old code finds it")
  func text() async throws {
    let name = "dualsend-test-\(UUID().uuidString)"
    let defaults = try #require(UserDefaults(suiteName: name))
    defer { defaults.removePersistentDomain(forName: name) }
    let id = await InstallationID(storage: .userDefaults(suiteName: name, key: "id")).value()
    #expect(id != nil && defaults.string(forKey: "id") == id)
  }

  @Test("has its problems in the log, without the ID")
  func log() async throws {
    let log = RecordedLog()
    let storage = StubbornStorage()
    try storage.inner.write(Array("\(Self.known)-\u{1B}[2J".utf8))
    let installationID = InstallationID(storage: storage.storage, logger: log.logger)
    storage.refusesReading.withLock { $0 = true }
    await installationID.value()
    storage.refusesReading.withLock { $0 = false }
    storage.refusesWriting.withLock { $0 = true }
    await installationID.value()
    _ = try? await installationID.delete()
    #expect(
      log.lines == [
        "warning the installation ID cannot be read now: locked",
        "error the stored installation ID is not a UUID; a new one replaces it",
        "warning the installation ID could not be stored: full",
        "error the installation ID could not be deleted: full",
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
