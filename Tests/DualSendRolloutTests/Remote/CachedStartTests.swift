import DualSendCore
import Testing

@testable import DualSendRollout

@Suite("A start with a stored document", .timeLimit(.minutes(5))) struct CachedStartTests {
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

  private func storedBytes(revision: Int = 7, new: Int = 5) async throws -> [UInt8] {
    let storage = ByteStorage.memory()
    #expect(await fetcher(storage).offer(text(revision: revision, new: new)) == .fresh(isInForce: false))
    return try #require(try storage.read())
  }

  @Test("decides by the stored document")
  func stored() async throws {
    let snapshot = fetcher(.memory(try await storedBytes())).snapshot
    #expect(snapshot.revision == 7)
    #expect(snapshot.nextChange == nil)
    let decision = snapshot.decision(for: "home.tap", context: DecisionContext(unitID: "u"))
    #expect(decision.outcome == .both)
    #expect(snapshot.explanation(of: decision).newTracker.ruleName == "home")
  }

  @Test("gives the old logger what a stored document gives neither sink")
  func neither() async throws {
    let storage = ByteStorage.memory()
    let text = documentText(#""shouldSendLogToOldLogger": 0, "shouldSendLogToNewTracker": 0"#)
    #expect(await fetcher(storage).offer(Array(text.utf8)) == .fresh(isInForce: false))
    let decision = fetcher(storage).snapshot.decision(for: "e", context: DecisionContext(unitID: "u"))
    #expect((decision.outcome, decision.oldLoggerReason) == (.oldOnly, .noSink))
  }

  @Test("finds a document with schedules")
  func schedules() async throws {
    let storage = ByteStorage.memory()
    let text = documentText(
      #""shouldSendLogToNewTracker": {"schedule": [{"from": "2026-01-01T00:00:00Z", "percentage": 50}]}"#)
    #expect(await fetcher(storage).offer(Array(text.utf8)) == .fresh(isInForce: false))
    #expect(fetcher(storage).snapshot.nextChange != nil)
  }

  @Test("refuses an older document than the stored one")
  func replay() async throws {
    let fetcher = fetcher(.memory(try await storedBytes()))
    #expect(await fetcher.offer(text(revision: 6, new: 5)) == .failed(.replayed(revision: 6, known: 7)))
  }

  @Test("knows the stored document again")
  func same() async throws {
    let fetcher = fetcher(.memory(try await storedBytes()))
    #expect(await fetcher.offer(text(revision: 7, new: 5)) == .unchanged)
    #expect(await fetcher.offer(text(revision: 7, new: 5) + Array(" ".utf8)) == .unchanged)
  }

  @Test("tells a kill of the stored document from a raise")
  func kill() async throws {
    let bytes = try await storedBytes()
    #expect(await fetcher(.memory(bytes)).offer(text(revision: 8, new: 4)) == .fresh(isInForce: true))
    #expect(await fetcher(.memory(bytes)).offer(text(revision: 8, new: 6)) == .fresh(isInForce: false))
  }

  @Test("keeps the limit on the length of a document")
  func limit() async throws {
    var options = RemoteConfigFetcher.Options(url: nil)
    options.maximumBytes = 10
    #expect(RemoteConfigFetcher(options, storage: .memory(try await storedBytes())).snapshot.revision == nil)
  }
}
