import DualSend
import DualSendTesting
import Foundation
import Testing
import UIKit

// In the suite of the life cycle, because its tests post the same notifications, one at a time.
extension LifecycleTests {
  /// A launch with a breaker that observes the app.
  private struct Launch {
    let storage = ByteStorage.memory()
    let clock = ManualClock()
    let breaker: DualSendTracker.Breaker

    @MainActor
    init() async {
      breaker = DualSendTracker.Breaker(
        rollout: RolloutSnapshot.newTrackerOnly, storage: storage, time: clock.timeSource)
      while !clock.pendingWaits.contains(.seconds(1)) { await Task.yield() }
    }

    /// Whether the storage says that a launch has begun.
    var isNoted: Bool {
      let bytes = (try? storage.read()).flatMap { $0 } ?? []
      return String(decoding: bytes, as: UTF8.self).contains(#""launching":"#)
    }
  }

  @Test(
    "a breaker ends its launch when the app goes to the background or terminates",
    arguments: ["UIApplicationDidEnterBackgroundNotification", "UIApplicationWillTerminateNotification"])
  func breaker(_ name: String) async {
    let launch = await Launch()
    #expect(launch.isNoted)
    await post(NSNotification.Name(name))
    #expect(!launch.isNoted)
  }

  @Test("a breaker ends a launch in the background")
  func breakerInBackground() async {
    AppState.current = .background
    defer { AppState.current = .active }
    let launch = await Launch()
    #expect(launch.isNoted)
    launch.clock.advance(by: .seconds(1))
    while launch.isNoted { await Task.yield() }
  }
}
