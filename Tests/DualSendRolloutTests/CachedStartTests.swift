import DualSendCore
import DualSendRolloutTraces
import Testing

@testable import DualSendRollout

@Suite("A start with a stored document") struct CachedStartTests {
  private let problems = Locked<[RemoteConfigFetcher.Problem]>([])

  private func fetcher(_ storage: ByteStorage) -> RemoteConfigFetcher {
    RemoteConfigFetcher(
      RemoteConfigFetcher.Options(url: nil), storage: storage,
      report: { [problems] problem in problems.withLock { $0.append(problem) } })
  }

  private func text(revision: Int, new: Int) -> [UInt8] {
    Array(
      """
      {"formatVersion": 1, "revision": \(revision), "salt": "test", "shouldSendLogToNewTracker": \(new),
      "rules": [{"name": "home", "match": {"events": ["home.*"]}, "shouldSendLogToNewTracker": true}]}
      """.utf8)
  }

  private func stored(revision: Int = 7, new: Int = 5) async throws -> [UInt8] {
    let storage = ByteStorage.memory()
    #expect(await fetcher(storage).offer(text(revision: revision, new: new)) == .fresh(isInForce: false))
    return try #require(try storage.read())
  }

  @Test("takes what the earlier run compiled, and reads the document on demand")
  func compiled() async throws {
    let snapshot = fetcher(.memory(try await stored())).snapshot
    #expect(snapshot.isStored)
    #expect(snapshot.revision == 7)
    #expect(snapshot.nextChange == nil)
    let decision = snapshot.decision(for: "home.tap", context: DecisionContext(unitID: "u"))
    #expect(decision.outcome == .both)
    #expect(snapshot.document?.rules.count == 1)
    #expect(snapshot.explanation(of: decision).newTracker.ruleName == "home")
  }

  @Test("finds a document with schedules, and compiles it")
  func schedules() async throws {
    let storage = ByteStorage.memory()
    let text = documentText(
      #""shouldSendLogToNewTracker": {"schedule": [{"from": "2026-01-01T00:00:00Z", "percentage": 50}]}"#)
    #expect(await fetcher(storage).offer(Array(text.utf8)) == .fresh(isInForce: false))
    let snapshot = fetcher(storage).snapshot
    #expect(!snapshot.isStored)
    #expect(snapshot.nextChange != nil)
  }

  @Test("compiles again where the compiled form is damaged, reports nothing, and stores it anew")
  func damaged() async throws {
    let whole = try await stored()
    var damaged = whole
    damaged[damaged.count - 1] ^= 1
    let (writes, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    let bytes = damaged
    let fetcher = fetcher(
      ByteStorage {
        bytes
      } write: {
        continuation.yield($0)
      })
    #expect(!fetcher.snapshot.isStored)
    #expect(fetcher.snapshot.revision == 7)
    #expect(await writes.first { _ in true } == whole)
    #expect(problems.current.isEmpty)
  }

  @Test("refuses an older document than the stored one")
  func replay() async throws {
    let fetcher = fetcher(.memory(try await stored()))
    #expect(await fetcher.offer(text(revision: 6, new: 5)) == .failed(.replayed(revision: 6, known: 7)))
  }

  @Test("knows the stored document again")
  func same() async throws {
    let fetcher = fetcher(.memory(try await stored()))
    #expect(await fetcher.offer(text(revision: 7, new: 5)) == .unchanged)
    #expect(await fetcher.offer(text(revision: 7, new: 5) + Array(" ".utf8)) == .unchanged)
  }

  @Test("tells a kill of the stored document from a raise")
  func kill() async throws {
    let bytes = try await stored()
    #expect(await fetcher(.memory(bytes)).offer(text(revision: 8, new: 4)) == .fresh(isInForce: true))
    #expect(await fetcher(.memory(bytes)).offer(text(revision: 8, new: 6)) == .fresh(isInForce: false))
  }

  @Test("counts an unreadable document as one that any other kills")
  func unreadable() throws {
    let document = try document()
    let unreadable = RolloutSnapshot(StoredDocument([]), at: nil, CompiledRollout(document, at: nil))
    #expect(unreadable.document == nil)
    #expect(RolloutSnapshot(document).isKill(of: unreadable))
    #expect(!RolloutSnapshot(document).isKill(of: RolloutSnapshot(document)))
  }

  @Test("keeps the limit on the length of a document")
  func limit() async throws {
    var options = RemoteConfigFetcher.Options(url: nil)
    options.maximumBytes = 10
    #expect(RemoteConfigFetcher(options, storage: .memory(try await stored())).snapshot.revision == nil)
  }
}
