import DualSendCore
import DualSendTesting
import Network
import Testing

@testable import DualSendTracking

@Suite("The network is back", .serialized, .timeLimit(.minutes(1)))
struct ReachabilityTests {
  @Test("has what waits after a failure tried at once, and a network that is gone does not")
  func retry() async throws {
    let transport = ScriptedTransport([.failure(.connectionFailed("offline"))])
    let tracker = try makeTracker(transport) { $0.systemEvents = .network }
    let outcomes = tracker.outcomes()
    tracker.sendLogs(name: "a", payloads: Array(repeating: [:] as [String: EventValue], count: 50))
    await outcomes.until { if case .retry = $0 { true } else { false } }
    NetworkPaths.change(to: .unsatisfied)
    NetworkPaths.change(to: .requiresConnection)
    #expect(transport.requests.count == 1)
    NetworkPaths.change(to: .satisfied)
    await outcomes.until { if case .delivered = $0 { true } else { false } }
    #expect(transport.requests.count == 2)
  }

  @Test("is not observed for a tracker that is released or ignores it")
  func released() throws {
    weak var kept: Tracker?
    do {
      let tracker = try makeTracker(ScriptedTransport()) { $0.systemEvents = .all }
      kept = tracker
      #expect(NetworkPaths.monitorCount == 1)
    }
    #expect(NetworkPaths.monitorCount == 0)
    #expect(kept == nil)
    let other = try makeTracker(ScriptedTransport()) { $0.systemEvents = .lifecycle }
    #expect(NetworkPaths.monitorCount == 0)
    withExtendedLifetime(other) {}
  }
}
