import Dispatch
import DualSend
import DualSendTesting
import Foundation
import Testing
import UIKit

@Suite("A breaker in an app", .serialized, .timeLimit(.minutes(1)))
@MainActor
struct BreakerAppTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("breaker-\(UUID())")
  private let clock = ManualClock()

  private var marks: Int {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).count { $0.hasPrefix("launch-") }
  }

  /// Returns when the breaker observes the app.
  private func launch() async -> DualSendTracker.Breaker {
    var settings = DualSendTracker.Breaker.Settings.on
    settings.folder = folder
    let breaker = DualSendTracker.Breaker(
      settings, rollout: RolloutSnapshot.newTrackerOnly, time: clock.timeSource)
    while !clock.pendingWaits.contains(.seconds(1)) { await Task.yield() }
    return breaker
  }

  @Test(
    "removes the mark of its launch when the app goes to the background or terminates",
    arguments: [UIApplication.didEnterBackgroundNotification, UIApplication.willTerminateNotification])
  func notification(_ name: NSNotification.Name) async {
    let breaker = await launch()
    #expect(marks == 1)
    NotificationCenter.default.post(name: name, object: nil)
    #expect(marks == 0)
    withExtendedLifetime(breaker) {}
  }

  @Test("removes the mark of a launch in the background")
  func backgroundLaunch() async {
    UIApplication.shared.applicationState = .background
    defer { UIApplication.shared.applicationState = .active }
    let breaker = await launch()
    #expect(marks == 1)
    clock.advance(by: .seconds(1))
    while marks > 0 { await Task.yield() }
    withExtendedLifetime(breaker) {}
  }
}
