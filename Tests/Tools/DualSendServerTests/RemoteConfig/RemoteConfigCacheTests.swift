import DualSendCollector
import DualSendCore
import DualSendRollout
import Foundation
import Testing

@Suite("What a remote config fetcher keeps from run to run", .timeLimit(.minutes(5)))
struct RemoteConfigCacheTests {
  private struct Refusal: Error {}

  private static let brokenStorage = ByteStorage {
    throw Refusal()
  } write: { _ in
    throw Refusal()
  }

  @Test("starts with the last good document, and asks with its entity tag")
  func lastKnownGood() async throws {
    try await RemoteBench.with { bench in
      await bench.publish(rolloutText(revision: 7, new: 5))
      _ = await bench.fetcher().fetch()
      let nextRun = bench.fetcher()
      #expect(nextRun.snapshot.revision == 7)
      #expect(nextRun.status.state == .cached)
      #expect(await nextRun.fetch() == .unchanged)
      #expect(nextRun.status.state == .fresh)
      #expect(nextRun.status.source == .fresh)
      #expect(await bench.requests.total == 2)
      #expect(await bench.requests.notModified == 1)
    }
  }

  @Test("says that the document is a stored one when the server cannot confirm it")
  func unconfirmed() async throws {
    try await RemoteBench.with { bench in
      await bench.publish(rolloutText(revision: 7, new: 5))
      _ = await bench.fetcher().fetch()
      await bench.misbehave(CollectorFault(.status(500)))
      let nextRun = bench.fetcher()
      _ = await nextRun.fetch()
      #expect(nextRun.status.state == .failed(.status(500)))
      #expect(nextRun.status.source == .cached)
    }
  }

  @Test("refuses an older document in the next run too")
  func replay() async throws {
    try await RemoteBench.with { bench in
      await bench.publish(rolloutText(revision: 7, new: 5))
      _ = await bench.fetcher().fetch()
      await bench.publish(rolloutText(revision: 6, new: 5))
      #expect(await bench.fetcher().fetch() == .failed(.replayed(revision: 6, known: 7)))
    }
  }

  @Test("keeps booleans of another channel for the next run")
  func booleans() async throws {
    try await RemoteBench.with { bench in
      await bench.fetcher().offer(shouldSendLogToOldLogger: false, shouldSendLogToNewTracker: true)
      let nextRun = bench.fetcher()
      #expect(nextRun.snapshot.decision(for: "a", context: DecisionContext()).outcome == .newOnly)
      #expect(nextRun.status.state == .cached)
    }
  }

  @Test("ignores and reports what is damaged, and mends it with the next document", arguments: Damage.allCases)
  func damage(damage: Damage) async throws {
    try await RemoteBench.with { bench in
      await bench.publish(rolloutText(revision: 7, new: 5))
      _ = await bench.fetcher().fetch()
      let stored = try #require(try bench.storage.read())
      try bench.storage.write(damage.done(to: stored))
      let nextRun = bench.fetcher()
      #expect(nextRun.status.state == .default)
      #expect(bench.problems.current.count == 1)
      guard case .cacheDamaged? = bench.problems.current.first else {
        Issue.record("the damage was not reported")
        return
      }
      #expect(await nextRun.fetch() == .fresh(isInForce: false))
      #expect(bench.fetcher().snapshot.revision == 7)
    }
  }

  enum Damage: CaseIterable {
    case emptied, cutOff, otherJSON, flippedDigit, newerFormat, wrongType

    func done(to bytes: [UInt8]) throws -> [UInt8] {
      switch self {
      case .emptied: return []
      case .cutOff: return Array(bytes[..<(try start(of: #""salt""#, in: bytes))])
      case .otherJSON: return Array("[1, 2]".utf8)
      case .flippedDigit: return try replacing(#"NewTracker": 5"#, with: #"NewTracker": 7"#, in: bytes)
      case .newerFormat: return try replacing(#""formatVersion":1"#, with: #""formatVersion":2"#, in: bytes)
      case .wrongType: return try replacing(#""checksum":"#, with: #""trustedTime":"now","checksum":"#, in: bytes)
      }
    }

    private func replacing(_ text: String, with other: String, in bytes: [UInt8]) throws -> [UInt8] {
      var bytes = bytes
      let start = try start(of: text, in: bytes)
      bytes.replaceSubrange(start..<(start + text.utf8.count), with: other.utf8)
      return bytes
    }

    private func start(of text: String, in bytes: [UInt8]) throws -> Int {
      try #require(bytes.indices.first { bytes[$0...].starts(with: text.utf8) })
    }
  }

  @Test("works without its storage, and says so")
  func brokenStorage() async throws {
    try await RemoteBench.with { bench in
      await bench.publish(rolloutText(revision: 7, new: 5))
      let fetcher = bench.fetcher(storage: Self.brokenStorage)
      #expect(await fetcher.fetch() == .fresh(isInForce: false))
      #expect(bench.problems.current == [.cacheNotReadable("Refusal()"), .cacheNotWritten("Refusal()")])
    }
  }

  @Test("keeps a document byte for byte, whatever is in it")
  func exactBytes() async throws {
    try await RemoteBench.with { bench in
      let text = """
        {"formatVersion": 1,\t"revision": 3, "salt": "s\\u00e9 é \\"/\u{1F600}",\r\n"rules": []}

        """
      await bench.publish(text)
      _ = await bench.fetcher().fetch()
      _ = await bench.fetcher().fetch()
      #expect(await bench.requests.notModified == 1)
      #expect(bench.fetcher().snapshot.document?.salt == "sé é \"/\u{1F600}")
    }
  }
}
