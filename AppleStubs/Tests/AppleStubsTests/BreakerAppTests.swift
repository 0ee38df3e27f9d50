import DualSend
import DualSendTesting
import Foundation
import Testing
import UIKit

// In the suite of the life cycle, because its tests post the same notifications, one at a time.
extension LifecycleTests {
  /// A launch with a breaker that observes the app.
  private struct Launch {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("breaker-\(UUID())")
    let clock = ManualClock()
    let breaker: DualSendTracker.Breaker

    @MainActor
    init() async {
      var settings = DualSendTracker.Breaker.Settings.on
      settings.folder = folder
      breaker = DualSendTracker.Breaker(settings, rollout: RolloutSnapshot.newTrackerOnly, time: clock.timeSource)
      while !clock.pendingWaits.contains(.seconds(1)) { await Task.yield() }
    }

    var marks: Int {
      ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).count { $0.hasPrefix("launch-") }
    }
  }

  @Test(
    "a breaker removes the mark of its launch when the app goes to the background or terminates",
    arguments: ["UIApplicationDidEnterBackgroundNotification", "UIApplicationWillTerminateNotification"])
  func breaker(_ name: String) async {
    let launch = await Launch()
    #expect(launch.marks == 1)
    await post(NSNotification.Name(name))
    #expect(launch.marks == 0)
  }

  @Test("a breaker removes the mark of a launch in the background")
  func breakerInBackground() async {
    application.applicationState = .background
    defer { application.applicationState = .active }
    let launch = await Launch()
    #expect(launch.marks == 1)
    launch.clock.advance(by: .seconds(1))
    while launch.marks > 0 { await Task.yield() }
  }
}
