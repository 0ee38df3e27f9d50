import DualSendCore
import DualSendRollout
import DualSendTesting
import Foundation
import Testing

@Suite("A user's identity, when something goes wrong")
struct UserIdentityFaultTests {
  private typealias Recorder = UserIdentityTests.Recorder

  private struct Unavailable: LocalizedError {
    let errorDescription: String? = "not now"
  }

  private func identity(
    _ storage: UnreliableStorage, setAside: ByteStorage = .memory(), clock: ManualClock = ManualClock(),
    migrate: (@Sendable () throws -> String?)? = nil, _ recorder: Recorder
  ) -> UserIdentity {
    UserIdentity(
      storage: storage.storage, setAside: setAside, migrate: migrate, time: clock.timeSource, report: recorder.note)
  }

  @Test("takes over what the app kept elsewhere, and asks for it once")
  func migration() async throws {
    let (storage, recorder, asked) = (UnreliableStorage(), Recorder(), Locked(0))
    let migrate: @Sendable () throws -> String? = {
      asked.withLock { $0 += 1 }
      return "old-7"
    }
    #expect(await identity(storage, migrate: migrate, recorder).value() == "old-7")
    #expect(await identity(storage, migrate: migrate, recorder).value() == "old-7")
    #expect(asked.current == 1)
  }

  @Test("remembers that there was nothing elsewhere", arguments: [nil, ""])
  func nothingElsewhere(answer: String?) async throws {
    let (storage, recorder) = (UnreliableStorage(), Recorder())
    #expect(await identity(storage, migrate: { answer }, recorder).value() == nil)
    #expect(await identity(storage, migrate: { "too late" }, recorder).value() == nil)
    #expect(recorder.problems.isEmpty)
  }

  @Test("asks again for what it could not have")
  func failingMigration() async throws {
    let (storage, recorder, fails) = (UnreliableStorage(), Recorder(), Locked(true))
    let user = identity(
      storage,
      migrate: {
        if fails.current { throw Unavailable() }
        return "old-7"
      }, recorder)
    #expect(await user.value() == nil)
    #expect(recorder.problems == [.notMigrated("not now")])
    #expect(try storage.text == nil)
    fails.withLock { $0 = false }
    #expect(await user.value() == "old-7")
  }

  @Test("lets nothing from elsewhere take the place of what was set here")
  func setBeforeMigration() async throws {
    let (storage, recorder, fails) = (UnreliableStorage(), Recorder(), Locked(true))
    let migrate: @Sendable () throws -> String? = {
      if fails.current { throw Unavailable() }
      return "old-7"
    }
    let user = identity(storage, migrate: migrate, recorder)
    try await user.signIn("new-8")
    fails.withLock { $0 = false }
    #expect(await user.value() == "new-8")
    #expect(await identity(storage, migrate: migrate, recorder).value() == "new-8")
  }

  @Test(
    "sets damaged bytes aside before anything takes their place, and says so",
    arguments: [
      "", "x", "{}", #"{"formatVersion":1}"#,
      #"{"formatVersion":1,"hasMigrated":true,"id":5,"isAnonymous":false,"revision":1}"#,
    ])
  func damaged(text: String) async throws {
    let (storage, recorder, aside) = (UnreliableStorage(text), Recorder(), ByteStorage.memory())
    #expect(await identity(storage, setAside: aside, migrate: { "elsewhere" }, recorder).value() == "elsewhere")
    #expect(recorder.problems == [.damaged])
    #expect(try aside.read() == Array(text.utf8))
    #expect(try storage.text?.contains("elsewhere") == true)
  }

  @Test("replaces nothing damaged that cannot be set aside")
  func damagedAndStuck() async throws {
    let (storage, recorder, aside) = (UnreliableStorage("x"), Recorder(), UnreliableStorage())
    aside.refusesWriting.withLock { $0 = true }
    let user = identity(storage, setAside: aside.storage, recorder)
    try await user.signIn("u-42")
    #expect(user.current == "u-42")
    #expect(try storage.text == "x")
    #expect(recorder.problems.allSatisfy { $0 == .notSetAside("full") } && !recorder.problems.isEmpty)
    aside.refusesWriting.withLock { $0 = false }
    #expect(await user.value() == "u-42")
    #expect(try aside.text == "x")
    #expect(try storage.text?.contains("u-42") == true)
  }

  @Test("replaces nothing that a later version wrote")
  func newerFormat() async throws {
    let later = #"{"formatVersion":2,"users":[]}"#
    let (storage, recorder) = (UnreliableStorage(later), Recorder())
    let user = identity(storage, recorder)
    try await user.signIn("u-42")
    #expect(user.current == "u-42")
    #expect(try storage.text == later)
  }

  @Test("does not take a locked device for one on which nobody was ever signed in")
  func unreadable() async throws {
    let (storage, recorder) = (UnreliableStorage(), Recorder())
    try await identity(storage, recorder).signIn("u-42")
    storage.refusesReading.withLock { $0 = true }
    let user = identity(storage, migrate: { "elsewhere" }, recorder)
    #expect(await user.value() == nil)
    #expect(recorder.problems == [.notReadable("locked")])
    storage.refusesReading.withLock { $0 = false }
    #expect(await user.value() == "u-42")
  }

  @Test("holds what was set while the storage could not be read, which is later than what is in it")
  func setWhileUnreadable() async throws {
    let (storage, recorder) = (UnreliableStorage(), Recorder())
    try await identity(storage, recorder).signIn("before")
    storage.refusesReading.withLock { $0 = true }
    let user = identity(storage, recorder)
    try await user.signIn("after")
    #expect(user.current == "after")
    storage.refusesReading.withLock { $0 = false }
    #expect(await user.value() == "after")
    #expect(try storage.text?.contains("after") == true)
  }

  @Test("is stored by itself as soon as that works, with growing waits", .timeLimit(.minutes(10)))
  func retries() async throws {
    let (storage, recorder, clock) = (UnreliableStorage(), Recorder(), ManualClock())
    storage.refusesWriting.withLock { $0 = true }
    let user = identity(storage, clock: clock, recorder)
    try await user.signIn("u-42")
    #expect(recorder.problems == [.notStored("full")])
    await clock.untilWaits(1)
    #expect(clock.pendingWaits == [.seconds(2)])
    clock.advance(by: .seconds(2))
    await clock.untilWaits(1)
    #expect(clock.pendingWaits == [.seconds(4)])
    storage.refusesWriting.withLock { $0 = false }
    clock.advance(by: .seconds(4))
    await user.value()
    #expect(try storage.text?.contains("u-42") == true)
    #expect(recorder.problems == [.notStored("full"), .notStored("full")])
  }

  @Test("says when another one stored something in between, and takes it over if asked")
  func twoOwners() async throws {
    let (storage, recorder, other) = (UnreliableStorage(), Recorder(), Recorder())
    let (first, second) = (identity(storage, recorder), identity(storage, other))
    await first.value()
    await second.value()
    try await first.signIn("a")
    #expect(await second.refresh() == "a")
    try await first.signIn("b")
    try await second.signIn("c")
    #expect(other.problems == [.changedElsewhere] && recorder.problems.isEmpty)
    #expect(await first.value() == "b")
    #expect(await first.refresh() == "c")
    #expect(try storage.text?.contains(#""revision":3"#) == true)
  }
}
