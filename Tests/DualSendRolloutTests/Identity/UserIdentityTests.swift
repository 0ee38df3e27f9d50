import DualSendCore
import DualSendRollout
import DualSendTesting
import Foundation
import Testing

@Suite("A user's identity")
struct UserIdentityTests {
  final class Recorder: Sendable {
    private let kept = Locked<[UserIdentity.Problem]>([])
    var problems: [UserIdentity.Problem] { kept.current }
    func note(_ problem: UserIdentity.Problem) { kept.withLock { $0.append(problem) } }
  }

  private func identity(
    _ storage: UnreliableStorage = UnreliableStorage(), migrate: (@Sendable () throws -> String?)? = nil
  ) -> UserIdentity {
    UserIdentity(
      storage: storage.storage, setAside: .memory(), fallback: { "installation" }, makeAnonymousID: { "anonymous" },
      migrate: migrate)
  }

  @Test("is the fallback until somebody signs in, and that identifier from then on")
  func signIn() async throws {
    let user = identity()
    #expect(user.current == "installation" && user.user == nil)
    #expect(await user.value() == "installation")
    try await user.signIn("u-42")
    #expect(user.current == "u-42")
    #expect(user.user == UserIdentity.User(id: "u-42", isAnonymous: false))
  }

  @Test("outlives the process")
  func nextRun() async throws {
    let storage = UnreliableStorage()
    try await identity(storage).signIn("u-42")
    let next = identity(storage)
    #expect(next.current == "installation")
    #expect(await next.value() == "u-42")
    #expect(next.current == "u-42")
  }

  @Test("is stored in a form that stays")
  func form() async throws {
    let storage = UnreliableStorage()
    try await identity(storage).signIn("u-42")
    #expect(try storage.text == #"{"formatVersion":1,"hasMigrated":true,"id":"u-42","isAnonymous":false,"revision":1}"#)
  }

  @Test("is forgotten at a sign-out, for good")
  func signOut() async throws {
    let storage = UnreliableStorage()
    let user = identity(storage)
    try await user.signIn("u-42")
    try await user.signOut()
    #expect(user.current == "installation")
    #expect(await identity(storage, migrate: { "u-42" }).value() == "installation")
    #expect(try storage.text?.contains("u-42") == false)
  }

  @Test("is a new anonymous one after a sign-out that asks for it")
  func anonymous() async throws {
    let storage = UnreliableStorage()
    let user = identity(storage)
    try await user.signIn("u-42")
    try await user.signOut(newAnonymousID: true)
    #expect(user.user == UserIdentity.User(id: "anonymous", isAnonymous: true))
    let next = identity(storage)
    #expect(await next.value() == "anonymous")
    #expect(next.user?.isAnonymous == true)
  }

  @Test(
    "is not changed by an identifier of no length or too great a length",
    arguments: ["", String(repeating: "x", count: 1_025)])
  func invalid(id: String) async throws {
    let user = identity()
    try await user.signIn("u-42")
    await #expect(throws: UserIdentity.InvalidIdentifier.self) { try await user.signIn(id) }
    #expect(user.current == "u-42")
  }

  @Test("tells every listener of each change, and of nothing that is none")
  func changes() async throws {
    let user = identity()
    await user.value()
    var changes = user.changes.makeAsyncIterator()
    #expect(await changes.next() == .some(nil))
    try await user.signIn("a")
    #expect(await changes.next()??.id == "a")
    try await user.signIn("a")
    try await user.signOut()
    #expect(await changes.next() == .some(nil))
    var late = user.changes.makeAsyncIterator()
    #expect(await late.next() == .some(nil))
  }

  @Test("is told apart from another by its bytes")
  func exactly() async throws {
    let user = identity()
    var changes = user.changes.makeAsyncIterator()
    _ = await changes.next()
    try await user.signIn("caf\u{E9}")
    _ = await changes.next()
    try await user.signIn("cafe\u{301}")
    #expect(await changes.next()??.id.utf8.count == 6)
  }

  @Test("is kept in a file that its owner alone can read, and a damaged file beside it")
  func file() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("dualsend-test-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("user")
    try await UserIdentity(file: file).signIn("u-42")
    let rights = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(rights == 0o600)
    try Data("no record".utf8).write(to: file)
    #expect(await UserIdentity(file: file).value() == nil)
    #expect(try String(contentsOf: file.appendingPathExtension("damaged"), encoding: .utf8) == "no record")
    #expect(await UserIdentity(file: file).value() == nil)
  }
}
