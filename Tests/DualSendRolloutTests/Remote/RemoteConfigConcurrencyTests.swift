import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendRollout

@Suite("Many tasks and one remote config fetcher", .timeLimit(.minutes(5)))
struct RemoteConfigConcurrencyTests {
  @Test("share one request and its result")
  func sharedRequest() async throws {
    let bench = try RemoteBench()
    let transport = ScriptedTransport { _ in
      // Long enough for the others to ask.
      for _ in 0..<2000 { await Task.yield() }
      return .success(HTTPTransportResponse(status: 200, body: Array(rolloutText(revision: 1, new: 5).utf8)))
    }
    let fetcher = bench.fetcher(transport: transport)
    let results = await withTaskGroup(of: RemoteConfigFetcher.FetchResult.self) { group in
      for _ in 0..<50 { group.addTask { await fetcher.fetch() } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(results.map(\.isFresh)) == [true])
    #expect(transport.requests.count == 1)
  }

  @Test("are answered in time even by a transport that never answers")
  func deafTransport() async throws {
    let clock = ManualClock()
    let (opened, open) = AsyncStream.makeStream(of: Void.self)
    let deaf = ScriptedTransport { _ in
      // A task of its own does not hear that it is cancelled.
      await Task { for await _ in opened {} }.value
      return .failure(.cancelled)
    }
    let fetcher = RemoteConfigFetcher(
      RemoteConfigFetcher.Options(url: URL(fileURLWithPath: "/")), storage: ByteStorage.memory(), transport: deaf,
      time: clock.timeSource)
    async let result = fetcher.fetch()
    await clock.untilWaits(1)
    clock.advance(by: .seconds(10))
    #expect(await result == .failed(.noAnswer(.timedOut)))
    open.finish()
  }

  @Test("are answered at once when they are cancelled, while the request goes on for the others")
  func cancelledCaller() async throws {
    let bench = try RemoteBench()
    bench.server.publish(rolloutText(revision: 1, new: 5))
    let (opened, open) = AsyncStream.makeStream(of: Void.self)
    let transport = ScriptedTransport { _ in
      for await _ in opened {}
      return .success(HTTPTransportResponse(status: 200, body: Array(rolloutText(revision: 1, new: 5).utf8)))
    }
    let fetcher = bench.fetcher(transport: transport)
    let patient = Task { await fetcher.fetch() }
    while transport.requests.isEmpty, !Task.isCancelled { await Task.yield() }
    let hasty = Task { await fetcher.fetch() }
    hasty.cancel()
    #expect(await hasty.value == .failed(.noAnswer(.cancelled)))
    open.finish()
    #expect(await patient.value == .fresh(isInForce: false))
    #expect(transport.requests.count == 1)
  }

  @Test("never see half of a swap in the middle of a burst")
  func swapInABurst() async throws {
    let bench = try RemoteBench()
    let fetcher = bench.fetcher { $0.allowsAnyRevision = true }
    // Odd revisions send everything to the old logger, even ones everything to the new tracker.
    func text(_ revision: Int) -> [UInt8] {
      let isNew = revision.isMultiple(of: 2)
      return Array(rolloutText(revision: revision, new: isNew ? 100 : 0, old: isNew ? 0 : 100).utf8)
    }
    await fetcher.offer(text(1))
    await fetcher.activate()
    let mixtures = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          (0..<5000).count { number in
            let snapshot = fetcher.snapshot
            let outcome = snapshot.decision(for: "e", context: DecisionContext(unitID: "u\(number)")).outcome
            return outcome != (snapshot.revision?.isMultiple(of: 2) == true ? .newOnly : .oldOnly)
          }
        }
      }
      group.addTask {
        for revision in 2...200 {
          await fetcher.offer(text(revision))
          await fetcher.activate()
        }
        return 0
      }
      return await group.reduce(0, +)
    }
    #expect(mixtures == 0)
    #expect(fetcher.snapshot.revision == 200)
  }

  @Test("hear the newest snapshot, each through a stream of its own that ends with the fetcher")
  func streams() async throws {
    let bench = try RemoteBench()
    var fetcher: RemoteConfigFetcher? = bench.fetcher()
    let (first, second) = (try #require(fetcher?.snapshots()), try #require(fetcher?.snapshots()))
    try await fetcher?.adopt(rolloutText(revision: 1, new: 5))
    try await fetcher?.adopt(rolloutText(revision: 2, new: 5))
    fetcher = nil
    for stream in [first, second] {
      var revisions: [Int64?] = []
      for await snapshot in stream { revisions.append(snapshot.revision) }
      #expect(revisions == [2])
    }
  }
}

extension RemoteConfigFetcher.FetchResult {
  fileprivate var isFresh: Bool { self == .fresh(isInForce: false) }
}
