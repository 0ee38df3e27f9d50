import DualSendCore
import DualSendTesting
import Foundation
import Testing

@testable import DualSendTracking

/// Everything that was logged before a call is told by a mark, whatever the inbox holds at that moment.
@Suite("A burst before a call", .timeLimit(.minutes(5)))
struct BurstTests {
  private static let events = 2_000
  /// `BURST_TRIES=200` is the long run.
  private static let tries = ProcessInfo.processInfo.environment["BURST_TRIES"].flatMap { Int($0) } ?? 10

  private func tracker(_ transport: ScriptedTransport, consent: Tracker.Consent = .granted) throws -> Tracker {
    let url = try #require(URL(string: "http://collector.test/events"))
    return Tracker(
      configuration: TrackerConfiguration(endpoint: TrackingEndpoint(url: url), storage: .memory, transport: transport)
      {
        $0.consent = consent
      })
  }

  /// From a thread of its own, as in an app, so that the dispatcher is in the middle of a commit when the call comes.
  private func burst(_ tracker: Tracker) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        for number in 0..<Self.events { tracker.sendLog(name: "before \(number)") }
        continuation.resume()
      }
    }
  }

  private func names(_ transport: ScriptedTransport) -> [String] {
    transport.events.compactMap { if case .string(let name)? = $0["eventName"] { name } else { nil } }
  }

  @Test("is committed when `persist` returns 0", arguments: 0..<tries)
  func persist(_: Int) async throws {
    let tracker = try tracker(ScriptedTransport(), consent: .pending)
    await burst(tracker)
    #expect(await tracker.persist() == 0)
    #expect(try await tracker.waitingIDs().count == Self.events)
    await tracker.shutdown()
  }

  @Test("is delivered when `flush` reports no obstacle", arguments: 0..<tries)
  func flush(_: Int) async throws {
    let tracker = try tracker(ScriptedTransport())
    await burst(tracker)
    let report = await tracker.flush()
    #expect(report.obstacle == nil)
    #expect(report.pending == 0)
    await tracker.shutdown()
  }

  @Test("is not sent after `purge` and denied consent, and what is logged after a purge is", arguments: 0..<tries)
  func purge(_: Int) async throws {
    let transport = ScriptedTransport()
    let tracker = try tracker(transport, consent: .pending)
    await burst(tracker)
    await tracker.purge()
    await tracker.setConsent(.granted)
    tracker.sendLog(name: "after")
    await tracker.flush()
    #expect(names(transport) == ["after"])
    await tracker.shutdown()
  }

  @Test("is counted by `shutdown`", arguments: 0..<tries)
  func shutdown(_: Int) async throws {
    let transport = ScriptedTransport()
    let tracker = try tracker(transport)
    await burst(tracker)
    let report = await tracker.shutdown()
    #expect(report.pending == 0)
    #expect(names(transport).count == Self.events)
  }
}
