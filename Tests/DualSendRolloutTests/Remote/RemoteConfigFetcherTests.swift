import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendRollout

@Suite("A remote config fetcher", .timeLimit(.minutes(5)))
struct RemoteConfigFetcherTests {
  @Test("puts a document in force when it is activated, not when it is fetched")
  func fetchAndActivate() async throws {
    let bench = try RemoteBench()
    bench.server.publish(rolloutText(revision: 7, new: 5))
    let fetcher = bench.fetcher()
    #expect(fetcher.status.state == .default)
    #expect(await fetcher.fetch() == .fresh(isInForce: false))
    #expect(fetcher.snapshot.revision == nil)
    #expect(fetcher.status.isActivationPending)
    #expect(await fetcher.activate())
    #expect(fetcher.snapshot.revision == 7)
    #expect(fetcher.status.state == .fresh)
    #expect(fetcher.status.revision == 7)
    #expect(!fetcher.status.isActivationPending)
    #expect(await fetcher.activate() == false)
  }

  @Test("asks with the entity tag, and learns that nothing has changed")
  func notModified() async throws {
    let bench = try RemoteBench()
    bench.server.publish(rolloutText(revision: 7, new: 5))
    let fetcher = bench.fetcher { $0.minimumInterval = .zero }
    _ = await fetcher.fetch()
    #expect(await fetcher.fetch() == .unchanged)
    #expect(bench.server.requests.count == 2)
    #expect(bench.server.notModified == 1)
    #expect(fetcher.status.isActivationPending)
  }

  @Test("takes no 304 for an answer where it asked for no revision in particular")
  func unasked304() async throws {
    let bench = try RemoteBench()
    bench.server.misbehave(304)
    #expect(await bench.fetcher().fetch() == .failed(.status(304)))
  }

  @Test("says of a new document, once, what may not be meant")
  func questionable() async throws {
    let (bench, problems) = (try RemoteBench(), Locked<[RemoteConfigFetcher.Problem]>([]))
    bench.server.publish(rolloutText(revision: 7, new: 5).replacing(": 5}", with: ": 0.05}"))
    let fetcher = RemoteConfigFetcher(
      RemoteConfigFetcher.Options(url: bench.url), storage: bench.storage, transport: bench.server,
      time: bench.clock.timeSource, report: { problem in problems.withLock { $0.append(problem) } })
    _ = await fetcher.fetch()
    _ = await fetcher.fetch()
    #expect(problems.current == [.questionable("0.05 is 0.05 %, beside whole percentages")])
  }

  @Test("sends an entity tag to no other address than the one that gave it")
  func otherAddress() async throws {
    let bench = try RemoteBench()
    bench.server.publish(rolloutText(revision: 7, new: 5), headers: ["ETag": "\"same\""])
    _ = await bench.fetcher().fetch()
    bench.server.publish(rolloutText(revision: 8, new: 5), headers: ["ETag": "\"same\""], at: "/other.json")
    let other = try #require(URL(string: "https://a.test/other.json"))
    let fetcher = bench.fetcher { $0.url = other }
    #expect(await fetcher.fetch() == .fresh(isInForce: false))
  }

  @Test("refuses a document that is older than the known one, in force or not")
  func replay() async throws {
    let bench = try RemoteBench()
    let fetcher = bench.fetcher()
    _ = await fetcher.offer(Array(rolloutText(revision: 7, new: 5).utf8))
    bench.server.publish(rolloutText(revision: 6, new: 50))
    #expect(await fetcher.fetch() == .failed(.replayed(revision: 6, known: 7)))
  }

  @Test("refuses a document of the same revision that says something else")
  func conflict() async throws {
    let bench = try RemoteBench()
    let fetcher = bench.fetcher()
    try await fetcher.adopt(rolloutText(revision: 7, new: 5))
    bench.server.publish(rolloutText(revision: 7, new: 50))
    #expect(await fetcher.fetch() == .failed(.conflict(revision: 7)))
  }

  @Test("takes a document of the same revision that was only laid out anew for the same")
  func relaidOut() async throws {
    let bench = try RemoteBench()
    let fetcher = bench.fetcher { $0.minimumInterval = .zero }
    try await fetcher.adopt(rolloutText(revision: 7, new: 5))
    bench.server.publish("\n" + rolloutText(revision: 7, new: 5))
    #expect(await fetcher.fetch() == .unchanged)
    #expect(await fetcher.fetch() == .unchanged)
    #expect(bench.server.notModified == 1)
  }

  @Test("accepts any revision if it is told to", arguments: [6, 7])
  func anyRevision(revision: Int) async throws {
    let bench = try RemoteBench()
    let fetcher = bench.fetcher { $0.allowsAnyRevision = true }
    try await fetcher.adopt(rolloutText(revision: 7, new: 5))
    bench.server.publish(rolloutText(revision: revision, new: 50))
    #expect(await fetcher.fetch() == .fresh(isInForce: false))
  }

  @Test("refuses a document of a higher format")
  func higherFormat() async throws {
    let bench = try RemoteBench()
    bench.server.publish(#"{"formatVersion": 3, "revision": 9, "salt": "test", "future": true}"#)
    let fetcher = bench.fetcher()
    guard case .failed(.invalid(let error)) = await fetcher.fetch() else {
      Issue.record("the document was not refused")
      return
    }
    #expect(error.diagnostics.map(\.code.rawValue) == ["DS0005"])
  }

  @Test(
    "puts a kill in force at once",
    arguments: [
      rolloutText(revision: 8, new: 0), rolloutText(revision: 8, new: 49),
      rolloutText(revision: 8, new: 50, salt: "other"),
      #"{"formatVersion": 1, "revision": 8, "salt": "test", "shouldSendLogToNewTracker": 50, "#
        + #""rules": [{"match": {"events": ["bad.*"]}, "shouldSendLogToNewTracker": false}]}"#,
      #"{"formatVersion": 1, "revision": 8, "salt": "test", "shouldSendLogToNewTracker": 50, "rules": "#
        + #"[{"match": {"events": ["x"]}, "allowNeither": true, "shouldSendLogToOldLogger": 0}]}"#,
    ])
  func kill(text: String) async throws {
    let bench = try RemoteBench()
    let fetcher = bench.fetcher()
    try await fetcher.adopt(rolloutText(revision: 7, new: 50))
    bench.server.publish(text)
    #expect(await fetcher.fetch() == .fresh(isInForce: true))
    #expect(fetcher.snapshot.revision == 8)
  }

  @Test(
    "leaves to the app when to activate what takes the new tracker from nobody",
    arguments: [rolloutText(revision: 8, new: 100), rolloutText(revision: 8, new: 50, old: 60)])
  func advance(text: String) async throws {
    let bench = try RemoteBench()
    let fetcher = bench.fetcher()
    try await fetcher.adopt(rolloutText(revision: 7, new: 50))
    bench.server.publish(text)
    #expect(await fetcher.fetch() == .fresh(isInForce: false))
    #expect(fetcher.snapshot.revision == 7)
  }

  @Test("lets a kill wait too if it is told to")
  func patientKill() async throws {
    let bench = try RemoteBench()
    let fetcher = bench.fetcher { $0.activatesKillsAtOnce = false }
    try await fetcher.adopt(rolloutText(revision: 7, new: 50))
    bench.server.publish(rolloutText(revision: 8, new: 0))
    #expect(await fetcher.fetch() == .fresh(isInForce: false))
    #expect(fetcher.snapshot.revision == 7)
  }

  @Test("takes two booleans from another channel through the same door")
  func booleans() async throws {
    let bench = try RemoteBench()
    let fetcher = bench.fetcher()
    let both = await fetcher.offer(shouldSendLogToOldLogger: true, shouldSendLogToNewTracker: true)
    #expect(both == .fresh(isInForce: false))
    await fetcher.activate()
    #expect(fetcher.snapshot.decision(for: "a", context: DecisionContext()).outcome == .both)
    let kill = await fetcher.offer(shouldSendLogToOldLogger: true, shouldSendLogToNewTracker: false)
    #expect(kill == .fresh(isInForce: true))
    let neither = await fetcher.offer(shouldSendLogToOldLogger: false, shouldSendLogToNewTracker: false)
    guard case .failed(.invalid) = neither else {
      Issue.record("nobody would have a sink, and the booleans were taken")
      return
    }
    #expect(fetcher.snapshot.decision(for: "a", context: DecisionContext()).outcome == .oldOnly)
  }

  @Test("refuses offered bytes above the limit")
  func offerTooLarge() async throws {
    let bench = try RemoteBench()
    let fetcher = bench.fetcher { $0.maximumBytes = 10 }
    #expect(await fetcher.offer(Array(rolloutText(revision: 1, new: 5).utf8)) == .failed(.tooLarge(limit: 10)))
  }

  @Test("binds no document to the revision of an in-app default")
  func inAppDefault() async throws {
    let bench = try RemoteBench()
    let text = rolloutText(revision: 90, new: 1)
    let fetcher = bench.fetcher(
      inAppDefault: RolloutSnapshot(try RolloutDocument(reading: Array(text.utf8))))
    #expect(fetcher.status.state == .default)
    #expect(fetcher.snapshot.revision == 90)
    bench.server.publish(rolloutText(revision: 7, new: 5))
    #expect(await fetcher.fetch() == .fresh(isInForce: false))
  }

  @Test("says so when it has no address")
  func noAddress() async throws {
    let bench = try RemoteBench()
    #expect(await bench.fetcher { $0.url = nil }.fetch() == .failed(.noAddress))
  }
}
