import DualSend
import DualSendTesting
import Foundation
import ShopRecipes
import Testing

struct TypedEventTests {
  @Test(arguments: [(true, false), (true, true), (false, true)])
  func aTypedEventReachesTheSinksOfTheRollout(old: Bool, new: Bool) async throws {
    let oldLogger = RecordingOldLogger()
    let collector = try #require(URL(string: "http://collector.example/events"))
    let tracker = Tracker(
      configuration: TrackerConfiguration(endpoint: TrackingEndpoint(url: collector), storage: .memory) {
        $0.consent = .pending
      })
    let rollout = try RolloutSnapshot(shouldSendLogToOldLogger: old, shouldSendLogToNewTracker: new)
    let dualSend = DualSendTracker(oldLogger: oldLogger, tracker: tracker, rollout: rollout, unitID: { nil })

    LikeTapped(itemID: 42, oldLogger: oldLogger, dualSendTracker: dualSend).sendToNewTracker().send()

    await tracker.persist()
    #expect(oldLogger.entries.count == (old ? 1 : 0))
    #expect(await tracker.statistics.ledger.pending == (new ? 1 : 0))
  }
}
