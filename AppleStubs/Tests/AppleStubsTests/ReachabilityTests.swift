import DualSendCore
import DualSendTesting
import Network
import Testing

@testable import DualSendTracking

@Suite("A hint that the network is back", .serialized, .timeLimit(.minutes(1)))
struct ReachabilityTests {
  @Test("has what waits after a failure tried at once, and a network that is gone does not")
  func retry() async throws {
    let transport = ScriptedTransport([.failure(.connectionFailed("offline"))])
    let tracker = try makeTracker(transport)
    let hint = ReachabilityHint(tracker: tracker)
    let outcomes = tracker.outcomes()
    tracker.sendLogs(name: "a", payloads: Array(repeating: [:] as [String: EventValue], count: 50))
    await outcomes.until { if case .retry = $0 { true } else { false } }
    NetworkPaths.change(to: .unsatisfied)
    NetworkPaths.change(to: .requiresConnection)
    #expect(transport.requests.count == 1)
    NetworkPaths.change(to: .satisfied)
    await outcomes.until { if case .delivered = $0 { true } else { false } }
    #expect(transport.requests.count == 2)
    withExtendedLifetime(hint) {}
  }

  @Test("watches no more once it is released, and does not keep the tracker")
  func released() throws {
    weak var kept: Tracker?
    do {
      let tracker = try makeTracker(ScriptedTransport())
      kept = tracker
      let hint = ReachabilityHint(tracker: tracker)
      #expect(NetworkPaths.monitorCount == 1)
      withExtendedLifetime(hint) {}
    }
    #expect(NetworkPaths.monitorCount == 0)
    #expect(kept == nil)
  }
}
